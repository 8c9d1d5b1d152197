dnl SPDX-License-Identifier: GPL-2.0-or-later
dnl TT_HARDEN(KIND, FLAGS): adds the flags to HARDEN_KIND if this compiler takes them. They stand before the user's own
dnl flags here and in the Makefile, so that these win.
AC_DEFUN([TT_HARDEN],
  [AS_VAR_PUSHDEF([tt_works], [tt_cv_hardens_$2])
   AC_CACHE_CHECK([whether $CC takes $2], [tt_works],
     [tt_save_CFLAGS=$CFLAGS; tt_save_LDFLAGS=$LDFLAGS; tt_save_kind=$HARDEN_$1
      HARDEN_$1="$HARDEN_$1 $2"
      CFLAGS="-Werror $HARDEN_CPPFLAGS $HARDEN_CFLAGS $CFLAGS"; LDFLAGS="$HARDEN_LDFLAGS $LDFLAGS"
      AS_VAR_SET([tt_works], [no])
      AC_LANG_CONFTEST([AC_LANG_PROGRAM([[#include <stdio.h>]], [[return puts("") < 0;]])])
      AC_COMPILE_IFELSE([], [AC_LINK_IFELSE([], [AS_VAR_SET([tt_works], [yes])])])
      CFLAGS=$tt_save_CFLAGS; LDFLAGS=$tt_save_LDFLAGS; HARDEN_$1=$tt_save_kind])
   AS_VAR_IF([tt_works], [yes], [HARDEN_$1="$HARDEN_$1 $2"])
   AS_VAR_POPDEF([tt_works])])
