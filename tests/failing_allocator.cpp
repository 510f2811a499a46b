// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Octile authors
#include "failing_allocator.hpp"

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

extern "C" {
void* __real_realloc(void* block, size_t size);
void __real_free(void* block);
void* __wrap_realloc(void* block, size_t size);
void __wrap_free(void* block);
}

namespace octile::test {
namespace {

std::atomic<int64_t> g_alive{0};
thread_local Failure* t_failure = nullptr;

bool refused() {
  return t_failure && t_failure->refuses();
}

void* allocate(size_t size, size_t align) {
  if (refused()) return nullptr;
  if (size == 0) size = 1;
  void* block = align <= alignof(std::max_align_t)
                    ? std::malloc(size)
                    : std::aligned_alloc(align, (size + align - 1) / align * align);
  if (block) ++g_alive;
  return block;
}

void* allocate_or_throw(size_t size, size_t align) {
  void* block = allocate(size, align);
  if (!block) throw std::bad_alloc();
  return block;
}

void deallocate(void* block) {
  if (block) --g_alive;
  __real_free(block);
}

}  // namespace

int64_t alive() {
  return g_alive;
}
void Failure::begin(Failure& failure) {
  t_failure = &failure;
}
void Failure::end() {
  t_failure = nullptr;
}

}  // namespace octile::test

using octile::test::allocate;
using octile::test::allocate_or_throw;
using octile::test::deallocate;
using Align = std::align_val_t;
constexpr size_t kPlain = alignof(std::max_align_t);

void* operator new(size_t n) {
  return allocate_or_throw(n, kPlain);
}
void* operator new[](size_t n) {
  return allocate_or_throw(n, kPlain);
}
void* operator new(size_t n, const std::nothrow_t&) noexcept {
  return allocate(n, kPlain);
}
void* operator new[](size_t n, const std::nothrow_t&) noexcept {
  return allocate(n, kPlain);
}
void* operator new(size_t n, Align a) {
  return allocate_or_throw(n, size_t(a));
}
void* operator new[](size_t n, Align a) {
  return allocate_or_throw(n, size_t(a));
}
void* operator new(size_t n, Align a, const std::nothrow_t&) noexcept {
  return allocate(n, size_t(a));
}
void* operator new[](size_t n, Align a, const std::nothrow_t&) noexcept {
  return allocate(n, size_t(a));
}
void operator delete(void* p) noexcept {
  deallocate(p);
}
void operator delete[](void* p) noexcept {
  deallocate(p);
}
void operator delete(void* p, size_t) noexcept {
  deallocate(p);
}
void operator delete[](void* p, size_t) noexcept {
  deallocate(p);
}
void operator delete(void* p, const std::nothrow_t&) noexcept {
  deallocate(p);
}
void operator delete[](void* p, const std::nothrow_t&) noexcept {
  deallocate(p);
}
void operator delete(void* p, Align) noexcept {
  deallocate(p);
}
void operator delete[](void* p, Align) noexcept {
  deallocate(p);
}
void operator delete(void* p, size_t, Align) noexcept {
  deallocate(p);
}
void operator delete[](void* p, size_t, Align) noexcept {
  deallocate(p);
}
void operator delete(void* p, Align, const std::nothrow_t&) noexcept {
  deallocate(p);
}
void operator delete[](void* p, Align, const std::nothrow_t&) noexcept {
  deallocate(p);
}

extern "C" void* __wrap_realloc(void* block, size_t size) {
  using octile::test::g_alive;
  if (octile::test::refused()) return nullptr;
  void* fresh = __real_realloc(block, size);
  if (fresh && !block) ++g_alive;
  return fresh;
}
extern "C" void __wrap_free(void* block) {
  deallocate(block);
}
