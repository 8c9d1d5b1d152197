/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * report - what the regions of this process have counted, as text, CSV or JSON.
 *
 *   text   a line for each region: calls, time, and each event in all and per call
 *   csv    a header, once in a file, then a line for each region
 *   json   one object a line for each region: "type":"region", label, calls, time_s, events
 *
 * Behind them stands a line for each thing that they lack, if there is any: calls, threads and
 * labels that had no room, and calls that were left.
 *
 * It is written behind what is in the file, so that several processes may write to one (output.h).
 * A signal handler may write it: it asks malloc(3) for nothing, and locks only with signals
 * blocked. Times are in s or ms. A number that is not known is "-", an empty field, or null.
 */
#ifndef INJECT_LIB_REPORT_H
#define INJECT_LIB_REPORT_H

#include <tiptop.h>

#endif
