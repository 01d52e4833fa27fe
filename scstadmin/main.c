// SPDX-License-Identifier: GPL-2.0
/*
 * scstadmin - configure the SCSI target core and what is around it
 */
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "cli.h"

static volatile sig_atomic_t stop;

/*
 * The first signal lets the step that runs come to its end, so that the run
 * can be taken back; the second one is taken at its word.
 */
static void on_signal(int sig)
{
	static const char text[] = "\nscstadmin: stopped by a signal\n";

	(void)sig;
	if (stop) {
		ssize_t n = write(STDERR_FILENO, text, sizeof(text) - 1);

		(void)n;
		_exit(1);
	}
	stop = 1;
}

int main(int argc, char **argv)
{
	struct sigaction sa = { .sa_handler = on_signal };
	struct sysfs s = { .root = SYSFS_ROOT, .ops = &sysfs_real_ops };
	int status;

	if (geteuid()) {
		fputs("scstadmin: only root may do this\n", stderr);
		return 1;
	}
	/* Without SA_RESTART: a question that waits for an answer ends. */
	sigaction(SIGINT, &sa, NULL);
	sigaction(SIGTERM, &sa, NULL);
	setvbuf(stdout, NULL, _IONBF, 0);

	status = cli_run(&s, stdin, &stop, argc, argv);
	return stop && !status ? 1 : status;
}
