/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SCSTADMIN_VERSION_H
#define SCSTADMIN_VERSION_H

#define SCSTADMIN_VERSION	"3.11.0-pre"

#endif
