/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SCSTADMIN_KLOG_H
#define SCSTADMIN_KLOG_H

#include <stdio.h>

/*
 * The kernel says why it refuses something in its log. klog_open() remembers
 * the end of the log, klog_print() prints what our modules added since.
 * Without permission to read the log both do nothing.
 */
int klog_open(void);
void klog_print(int fd, FILE *f);
void klog_close(int fd);

/*
 * klog_message() - the message in a record of /dev/kmsg
 *
 * Return: its text when one of our modules wrote it, else NULL; @len is set.
 */
const char *klog_message(const char *record, size_t *len);

#endif
