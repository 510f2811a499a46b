# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Octile authors
#
# What `cmake --install` puts where: headers, library, and what find_package(octile) and pkg-config
# read. The component `octile` is all that a program needs which is built on it.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(octile_targets octile)
if(OCTILE_SHARED)
  list(APPEND octile_targets octile_shared)
endif()
install(TARGETS ${octile_targets} EXPORT octile COMPONENT octile
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT octile
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT octile
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT octile)
install(DIRECTORY include/octile DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT octile
  FILES_MATCHING PATTERN "*.hpp" PATTERN "*.h")

set(octile_cmake_folder ${CMAKE_INSTALL_LIBDIR}/cmake/octile)
install(EXPORT octile NAMESPACE octile:: FILE octileTargets.cmake
  DESTINATION ${octile_cmake_folder} COMPONENT octile)
configure_package_config_file(tools/octileConfig.cmake.in octileConfig.cmake
  INSTALL_DESTINATION ${octile_cmake_folder} NO_SET_AND_CHECK_MACRO)
# Before 1.0 each minor version may change the face.
write_basic_package_version_file(octileConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/octileConfig.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/octileConfigVersion.cmake
  DESTINATION ${octile_cmake_folder} COMPONENT octile)

# Who links by pkg-config may be a C compiler, which does not know of C++'s library.
set(octile_cxx_library "")
foreach(library stdc++ c++)
  if(library IN_LIST CMAKE_CXX_IMPLICIT_LINK_LIBRARIES)
    set(octile_cxx_library "-l${library}")
  endif()
endforeach()
# The folders follow the file when the whole is moved, or installed under another prefix.
file(RELATIVE_PATH octile_prefix_from_pc
  /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" octile_prefix_from_pc "${octile_prefix_from_pc}")
configure_file(tools/octile.pc.in octile.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/octile.pc
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT octile)
