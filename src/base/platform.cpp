// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "base/platform.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#if defined(_WIN32)
#define OCTILE_THREADS_WINDOWS
#include <process.h>
#include <windows.h>
#elif !defined(__wasm__)
#define OCTILE_THREADS_POSIX
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace octile {

namespace {

// std::thread reports a failed start by throwing, which this library cannot catch.
#if defined(OCTILE_THREADS_POSIX)
using Thread = pthread_t;
void* enter(void* p) {
  const ThreadPart& part = *static_cast<ThreadPart*>(p);
  part.work(part.data, part.part);
  return nullptr;
}
bool start(Thread* thread, ThreadPart* part) noexcept {
  return pthread_create(thread, nullptr, enter, part) == 0;
}
void join(Thread thread) noexcept {
  pthread_join(thread, nullptr);
}
void yield() noexcept {
  sched_yield();
}
#elif defined(OCTILE_THREADS_WINDOWS)
using Thread = HANDLE;
unsigned __stdcall enter(void* p) {
  const ThreadPart& part = *static_cast<ThreadPart*>(p);
  part.work(part.data, part.part);
  return 0;
}
bool start(Thread* thread, ThreadPart* part) noexcept {
  *thread = reinterpret_cast<HANDLE>(_beginthreadex(nullptr, 0, enter, part, 0, nullptr));
  return *thread != nullptr;
}
void join(Thread thread) noexcept {
  WaitForSingleObject(thread, INFINITE);
  CloseHandle(thread);
}
void yield() noexcept {
  SwitchToThread();
}
#else
using Thread = int;
bool start(Thread*, ThreadPart*) noexcept {
  return false;
}
void join(Thread) noexcept {}
void yield() noexcept {}
#endif

}  // namespace

void yield_thread() noexcept {
  yield();
}

double steady_seconds() noexcept {
  using Clock = std::chrono::steady_clock;
  return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

void run_parallel(unsigned parts, void (*work)(void* data, unsigned part), void* data) noexcept {
  ThreadPart part[kMostThreads];
  Thread thread[kMostThreads];
  bool started[kMostThreads] = {};
  // The last part is the caller's own; those beyond the limit, too.
  for (unsigned i = 0; i + 1 < parts && i < kMostThreads; ++i) {
    part[i] = {work, data, i};
    started[i] = start(&thread[i], &part[i]);
  }
  for (unsigned i = 0; i < parts; ++i)
    if (i >= kMostThreads || !started[i]) work(data, i);
  for (unsigned i = 0; i < parts && i < kMostThreads; ++i)
    if (started[i]) join(thread[i]);
}

void expect_filled([[maybe_unused]] void* data, [[maybe_unused]] size_t bytes) noexcept {
#if defined(MADV_HUGEPAGE)
  // Large pages within the block; what is left at both ends stays as it is.
  constexpr uintptr_t kPage = kLargePage;
  const auto begin = (reinterpret_cast<uintptr_t>(data) + kPage - 1) / kPage * kPage;
  const auto end = (reinterpret_cast<uintptr_t>(data) + bytes) / kPage * kPage;
  if (begin < end) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
#endif
}

// ---------------------------------------------------------------------------------------------

void BackgroundThread::start(void (*work)(void* data), void* data) noexcept {
  join();
  work_ = work;
  data_ = data;
  static_assert(sizeof(Thread) <= sizeof handle_);
  part_ = {[](void* p, unsigned) {
             const auto& self = *static_cast<BackgroundThread*>(p);
             self.work_(self.data_);
           },
           this, 0};
  Thread thread{};
  running_ = octile::start(&thread, &part_);
  if (running_)
    std::memcpy(handle_, &thread, sizeof thread);
  else
    work(data);
}

void BackgroundThread::join() noexcept {
  if (!running_) return;
  Thread thread{};
  std::memcpy(&thread, handle_, sizeof thread);
  octile::join(thread);
  running_ = false;
}

// ---------------------------------------------------------------------------------------------

namespace {

// Of a file on a disk; 0: nobody knows.
size_t length_of(std::FILE* file) noexcept {
#if defined(OCTILE_THREADS_POSIX)
  struct stat about;
  return fstat(fileno(file), &about) == 0 && S_ISREG(about.st_mode)
             ? static_cast<size_t>(about.st_size)
             : 0;
#else
  const long end = std::fseek(file, 0, SEEK_END) == 0 ? std::ftell(file) : 0;
  std::rewind(file);
  return end > 0 ? static_cast<size_t>(end) : 0;
#endif
}

}  // namespace

FileError read_file(const char* path, detail::Buffer<uint64_t>* words, size_t* size) noexcept {
  errno = 0;
#if defined(OCTILE_THREADS_POSIX)
  // A device may have no end.
  struct stat about;
  if (stat(path, &about) == 0 && (S_ISCHR(about.st_mode) || S_ISBLK(about.st_mode)))
    return FileError::cannot_read;
#endif
  std::FILE* file = std::fopen(path, "rb");
  if (!file) return FileError::cannot_open;
  FileError error = FileError::none;
  size_t have = 0;
  // Room for all of it at once, and for what the end is found by.
  constexpr size_t kLeast = 4096;
  const size_t expected = (length_of(file) + kLeast) / 8 + 1;
  if (!reserve_large(words, expected) || !words->resize(expected)) error = FileError::out_of_memory;
  while (error == FileError::none) {
    if (have + kLeast > words->size() * 8) {
      if (!words->resize((have + have / 2) / 8 + 8192)) {
        error = FileError::out_of_memory;
        break;
      }
    }
    const size_t room = words->size() * 8 - have;
    const size_t got = std::fread(reinterpret_cast<char*>(words->data()) + have, 1, room, file);
    have += got;
    if (got < room) {
      if (std::ferror(file)) error = FileError::cannot_read;
      break;
    }
  }
  std::fclose(file);
  *size = have;
  return error;
}

namespace {

#if defined(OCTILE_THREADS_POSIX)

// What the links at `path` lead to, something or nothing yet.
FileError follow_links(const char* path, detail::Buffer<char>* place) noexcept {
  const size_t length = std::strlen(path) + 1;
  if (!place->resize(length)) return FileError::out_of_memory;
  std::memcpy(place->data(), path, length);
  char link[4096];
  for (int i = 0;; ++i) {
    const ssize_t n = readlink(place->data(), link, sizeof link);
    if (n <= 0 || n == sizeof link) return FileError::none;
    if (i == 40) {  // more no system follows
      errno = ELOOP;
      return FileError::cannot_create;
    }
    const char* slash = std::strrchr(place->data(), '/');
    const size_t folder =
        slash && link[0] != '/' ? static_cast<size_t>(slash - place->data()) + 1 : 0;
    if (!place->resize(folder + static_cast<size_t>(n) + 1)) return FileError::out_of_memory;
    std::memcpy(place->data() + folder, link, static_cast<size_t>(n));
    place->back() = '\0';
  }
}

// In this thread, until the end of its life: what waits is delivered then.
class SignalsWait {
 public:
  SignalsWait() noexcept {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsWait() {
    const int error = errno;
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    errno = error;
  }
  SignalsWait(const SignalsWait&) = delete;
  SignalsWait& operator=(const SignalsWait&) = delete;

 private:
  sigset_t before_;
};

// All of it, down to the disk. `mode`: of the file that is replaced, or null.
bool fill(int file, const void* data, size_t size, const mode_t* mode) noexcept {
  const auto* bytes = static_cast<const char*>(data);
  constexpr size_t kAtOnce = size_t{1} << 30;
  while (size > 0) {
    const ssize_t n = write(file, bytes, size < kAtOnce ? size : kAtOnce);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes += n;
    size -= static_cast<size_t>(n);
  }
  // Not everywhere can that be kept. Rights that belong to the old owner end with the old file.
  if (mode) fchmod(file, *mode & 0777);
  return fsync(file) == 0;
}

bool rename_or_remove(const char* part, const char* place) noexcept {
  if (std::rename(part, place) == 0) return true;
  const int error = errno;
  unlink(part);
  errno = error;
  return false;
}

// Closes what is left open, and keeps errno.
struct OpenFile {
  int file = -1;
  ~OpenFile() {
    const int error = errno;
    if (file >= 0) close(file);
    errno = error;
  }
};

#if defined(O_TMPFILE)
// Without a name while it is written: no end of the program leaves anything behind. False: that
// cannot be done here.
bool write_unnamed(const char* place, char* part, const void* data, size_t size, const mode_t* mode,
                   FileError* result) noexcept {
  // 1. In the folder of both names.
  const auto unnamed_in = [](const char* folder) {
    return open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
  };
  OpenFile made;
  if (char* slash = std::strrchr(part, '/')) {
    const char after = std::exchange(slash[1], '\0');
    made.file = unnamed_in(part);
    slash[1] = after;
  } else {
    made.file = unnamed_in(".");
  }
  if (made.file < 0) return false;
  *result = FileError::cannot_write;
  if (!fill(made.file, data, size, mode)) return true;
  // 2. Its place may be free; else it goes there by way of another name.
  char itself[40];
  std::snprintf(itself, sizeof itself, "/proc/self/fd/%d", made.file);
  const auto give = [&](const char* name) {
    return linkat(AT_FDCWD, itself, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0;
  };
  bool done = !mode && give(place);
  if (!done) {
    const SignalsWait moment;
    unlink(part);
    if (!give(part)) return false;
    done = rename_or_remove(part, place);
  }
  if (done) *result = FileError::none;
  return true;
}
#endif

FileError write_named(const char* place, const char* part, const void* data, size_t size,
                      const mode_t* mode) noexcept {
  const SignalsWait while_written;
  unlink(part);
  OpenFile made;
  made.file = open(part, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
  if (made.file < 0) return FileError::cannot_create;
  bool good = fill(made.file, data, size, mode);
  good = close(std::exchange(made.file, -1)) == 0 && good;
  if (!good) {
    const int error = errno;
    unlink(part);
    errno = error;
    return FileError::cannot_write;
  }
  return rename_or_remove(part, place) ? FileError::none : FileError::cannot_write;
}

#endif

}  // namespace

FileError detail::write_file(const char* path, const void* data, size_t size) noexcept {
  errno = 0;
  // 1. What is there, and what it may be called until it is complete: no two writers use the same
  //    name, threads of one program neither.
  detail::Buffer<char> place, part;
#if defined(OCTILE_THREADS_POSIX)
  // Renaming over a device or a pipe would put a file in its place. A link of /proc leads to a file
  // that may have no name any more, and its name elsewhere; but so it looks, too, when another
  // writer puts its file there between the two questions.
  struct stat about;
  bool there = false, named = false;
  for (int attempt = 0; attempt < 100 && !named; ++attempt) {
    there = stat(path, &about) == 0;
    if (there && !S_ISREG(about.st_mode)) return FileError::no_file;
    const FileError error = follow_links(path, &place);
    if (error != FileError::none) return error;
    struct stat found;
    named = !there || (stat(place.data(), &found) == 0 && found.st_ino == about.st_ino &&
                       found.st_dev == about.st_dev);
  }
  if (!named) return FileError::no_file;
  const long mine = static_cast<long>(getpid());
#else
  if (!place.resize(std::strlen(path) + 1)) return FileError::out_of_memory;
  std::memcpy(place.data(), path, place.size());
  const long mine = 0;
#endif
  if (!part.resize(place.size() + 64)) return FileError::out_of_memory;
  static std::atomic<unsigned> writers{0};
  // As much of the name as leaves room for the rest of it: names have at most 255 bytes.
  const char* slash = std::strrchr(place.data(), '/');
  const size_t folder = slash ? static_cast<size_t>(slash - place.data()) + 1 : 0;
  const size_t shown = std::min(place.size() - 1, folder + 200);
  std::snprintf(part.data(), part.size(), "%.*s.%ld.%u.part", static_cast<int>(shown), place.data(),
                mine, writers.fetch_add(1, std::memory_order_relaxed));
  // 2. Into it.
#if defined(OCTILE_THREADS_POSIX)
  const mode_t* mode = there ? &about.st_mode : nullptr;
#if defined(O_TMPFILE)
  FileError result;
  if (write_unnamed(place.data(), part.data(), data, size, mode, &result)) return result;
#endif
  return write_named(place.data(), part.data(), data, size, mode);
#else
  std::FILE* file = std::fopen(part.data(), "wb");
  if (!file) return FileError::cannot_create;
  bool good = size == 0 || std::fwrite(data, 1, size, file) == size;
  good = std::fclose(file) == 0 && good;
#if defined(_WIN32)
  good = good && MoveFileExA(part.data(), place.data(), MOVEFILE_REPLACE_EXISTING) != 0;
#else
  good = good && std::rename(part.data(), place.data()) == 0;
#endif
  if (!good) std::remove(part.data());
  return good ? FileError::none : FileError::cannot_write;
#endif
}

FileReader::~FileReader() {
#if defined(OCTILE_THREADS_POSIX)
  if (file_ >= 0) ::close(file_);
#endif
}

bool FileReader::read([[maybe_unused]] size_t at, [[maybe_unused]] size_t bytes,
                      [[maybe_unused]] uint8_t* into) const noexcept {
#if defined(OCTILE_THREADS_POSIX)
  if (file_ < 0) return false;
  while (bytes > 0) {
    const ssize_t got = pread(file_, into, bytes, static_cast<off_t>(at));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += static_cast<size_t>(got);
    into += got;
    bytes -= static_cast<size_t>(got);
  }
  return true;
#else
  return false;
#endif
}

FileMapping::~FileMapping() {
#if defined(OCTILE_THREADS_POSIX)
  if (mapped_) munmap(const_cast<uint8_t*>(data_), size_);
#endif
}

FileError FileMapping::open(const char* path, [[maybe_unused]] bool all,
                            [[maybe_unused]] FileReader* reader) noexcept {
  errno = 0;
#if defined(OCTILE_THREADS_POSIX)
  const int file = ::open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // a pipe is not waited for
  if (file < 0) return FileError::cannot_open;
  struct stat about;
  if (fstat(file, &about) != 0 || !S_ISREG(about.st_mode)) {
    ::close(file);
    return FileError::cannot_read;
  }
  const auto bytes = static_cast<size_t>(about.st_size);
  if (all && bytes > 0 && bytes < kWorthMapping) {
    const FileReader whole(file);
    if (!read_.resize((bytes + 7) / 8)) return FileError::out_of_memory;
    data_ = reinterpret_cast<const uint8_t*>(read_.data());
    size_ = bytes;
    return whole.read(0, bytes, reinterpret_cast<uint8_t*>(read_.data())) ? FileError::none
                                                                          : FileError::cannot_read;
  }
  int how = MAP_PRIVATE;
#if defined(MAP_POPULATE)
  if (all) how |= MAP_POPULATE;
#endif
  void* at = bytes ? mmap(nullptr, bytes, PROT_READ, how, file, 0) : MAP_FAILED;
  if (at != MAP_FAILED && reader)
    reader->file_ = file;
  else
    ::close(file);
  if (at != MAP_FAILED) {
    data_ = static_cast<const uint8_t*>(at);
    size_ = bytes;
    mapped_ = true;
    return FileError::none;
  }
#endif
  const FileError error = read_file(path, &read_, &size_);
  data_ = reinterpret_cast<const uint8_t*>(read_.data());
  return error;
}

}  // namespace octile
