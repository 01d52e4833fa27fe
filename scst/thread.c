// SPDX-License-Identifier: GPL-2.0
/*
 * Handler threads: a lock-free list in, whole batches out, and a wake-up only
 * when somebody sleeps.
 *
 * Threads are started when work finds all of them busy, up to the limit; so a
 * nexus that sees no blocking I/O costs no thread. Each thread that takes a
 * command and leaves some behind wakes the next one. Threads above a limit
 * that was lowered stay asleep until it is raised or the pool goes.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/kthread.h>
#include <linux/slab.h>
#include <linux/swait.h>
#include <uapi/linux/sched/types.h>

#include "internal.h"

struct scst_pool {
	struct kref ref;
	struct llist_head incoming;
	struct swait_queue_head idle;
	struct swait_queue_head retired;	/* threads above a lowered limit */
	spinlock_t lock;		/* batch, workers, nr_workers */
	struct llist_node *batch;	/* taken from incoming, oldest first */
	struct list_head workers;	/* scst_worker.entry */
	unsigned int nr_workers;
	unsigned int max_workers;
	int node;
	struct delayed_work spawn;
	char name[TASK_COMM_LEN];
};

struct scst_worker {
	struct scst_pool *pool;
	struct task_struct *task;
	unsigned int index;
	struct list_head entry;
};

static bool scst_pool_has_work(const struct scst_pool *pool)
{
	return READ_ONCE(pool->batch) || !llist_empty(&pool->incoming);
}

/* Work is waiting: find somebody to do it. */
static void scst_pool_kick(struct scst_pool *pool)
{
	if (swq_has_sleeper(&pool->idle))
		swake_up_one(&pool->idle);
	else if (READ_ONCE(pool->nr_workers) < READ_ONCE(pool->max_workers))
		mod_delayed_work(scst_spawn_wq, &pool->spawn, 0);
}

/**
 * scst_pool_queue() - let a handler thread execute a command
 * @pool: pool; the caller is in an RCU read-side section or holds the nexus
 * @cmd: command in state QUEUED
 *
 * Context: any.
 */
void scst_pool_queue(struct scst_pool *pool, struct scst_cmd *cmd)
{
	if (llist_add(&cmd->work, &pool->incoming))
		scst_pool_kick(pool);
}

static struct scst_cmd *scst_pool_pop(struct scst_pool *pool)
{
	struct llist_node *node;
	bool more;

	spin_lock(&pool->lock);
	if (!pool->batch)
		WRITE_ONCE(pool->batch, llist_reverse_order(llist_del_all(&pool->incoming)));
	node = pool->batch;
	if (node)
		WRITE_ONCE(pool->batch, node->next);
	more = pool->max_workers > 1 && scst_pool_has_work(pool);
	spin_unlock(&pool->lock);

	if (more)
		scst_pool_kick(pool);
	return node ? llist_entry(node, struct scst_cmd, work) : NULL;
}

static bool scst_worker_wanted(const struct scst_worker *worker)
{
	return worker->index < READ_ONCE(worker->pool->max_workers);
}

static void scst_worker_retire(struct scst_worker *worker)
{
	struct scst_pool *pool = worker->pool;

	/* It may have been this one whom a kick woke, and nobody kicks again for that work. */
	if (scst_pool_has_work(pool))
		scst_pool_kick(pool);
	swait_event_idle_exclusive(pool->retired, kthread_should_stop() ||
				   scst_worker_wanted(worker));
}

static int scst_worker(void *arg)
{
	/*
	 * A wake-up must not preempt whoever queued the command: he probably has
	 * more, and two task switches cost as much as a short I/O.
	 */
	static const struct sched_attr batch = {
		.size		= sizeof(batch),
		.sched_policy	= SCHED_BATCH,
	};
	struct scst_worker *worker = arg;
	struct scst_pool *pool = worker->pool;
	struct scst_cmd *cmd;

	sched_setattr_nocheck(current, &batch);
	while (!kthread_should_stop()) {
		while (scst_worker_wanted(worker) && (cmd = scst_pool_pop(pool))) {
			scst_cmd_execute(cmd, true);
			cond_resched();
		}
		if (likely(scst_worker_wanted(worker)))
			swait_event_idle_exclusive(pool->idle, kthread_should_stop() ||
						   !scst_worker_wanted(worker) ||
						   scst_pool_has_work(pool));
		else
			scst_worker_retire(worker);
	}
	return 0;
}

/* Start one more thread. Whatever fails is tried again: commands are waiting. */
static void scst_pool_spawn(struct work_struct *work)
{
	struct scst_pool *pool = container_of(to_delayed_work(work), struct scst_pool, spawn);
	struct scst_worker *worker;

	if (pool->nr_workers >= pool->max_workers || !scst_pool_has_work(pool))
		return;
	worker = kzalloc(sizeof(*worker), GFP_KERNEL);
	if (!worker)
		goto again;
	worker->pool = pool;
	worker->index = pool->nr_workers;
	worker->task = kthread_create_on_node(scst_worker, worker, pool->node, "%s-%u",
					      pool->name, worker->index);
	if (IS_ERR(worker->task)) {
		kfree(worker);
		goto again;
	}
	get_task_struct(worker->task);
	spin_lock(&pool->lock);
	list_add_tail(&worker->entry, &pool->workers);
	WRITE_ONCE(pool->nr_workers, pool->nr_workers + 1);
	spin_unlock(&pool->lock);
	wake_up_process(worker->task);
	return;

again:
	pr_warn_ratelimited("cannot start handler thread %s-%u, trying again\n", pool->name,
			    pool->nr_workers);
	mod_delayed_work(scst_spawn_wq, &pool->spawn, HZ / 10);
}

/**
 * scst_pool_create() - make a pool of handler threads
 * @name: what its threads are called
 * @max_threads: as many as there may be, at least 1
 * @node: NUMA node, or NUMA_NO_NODE
 *
 * Context: process context.
 * Return: the pool with one reference, or NULL without memory. No thread runs yet.
 */
struct scst_pool *scst_pool_create(const char *name, unsigned int max_threads, int node)
{
	struct scst_pool *pool = kzalloc(sizeof(*pool), GFP_KERNEL);

	if (!pool)
		return NULL;
	kref_init(&pool->ref);
	init_llist_head(&pool->incoming);
	init_swait_queue_head(&pool->idle);
	init_swait_queue_head(&pool->retired);
	spin_lock_init(&pool->lock);
	INIT_LIST_HEAD(&pool->workers);
	INIT_DELAYED_WORK(&pool->spawn, scst_pool_spawn);
	pool->max_workers = max_threads;
	pool->node = node;
	strscpy(pool->name, name, sizeof(pool->name));
	return pool;
}

void scst_pool_get(struct scst_pool *pool)
{
	kref_get(&pool->ref);
}

static void scst_pool_release(struct kref *ref)
{
	struct scst_pool *pool = container_of(ref, struct scst_pool, ref);
	struct scst_worker *worker, *next;

	/* A pool that was exchanged for another still has commands to execute. */
	while (scst_pool_has_work(pool)) {
		scst_pool_kick(pool);
		schedule_timeout_uninterruptible(1);
	}
	cancel_delayed_work_sync(&pool->spawn);
	list_for_each_entry_safe(worker, next, &pool->workers, entry) {
		kthread_stop(worker->task);
		put_task_struct(worker->task);
		kfree(worker);
	}
	/* A kick of a thread that had looked at the queue before it was empty. */
	cancel_delayed_work_sync(&pool->spawn);
	kfree(pool);
}

/**
 * scst_pool_put() - let go of a pool; the last one stops its threads
 * @pool: pool that the caller does not queue to any more, or NULL
 *
 * Context: process context, sleeps until running commands end.
 */
void scst_pool_put(struct scst_pool *pool)
{
	if (pool)
		kref_put(&pool->ref, scst_pool_release);
}

/**
 * scst_pool_set_threads() - change the limit
 * @pool: pool
 * @max_threads: new limit, at least 1
 *
 * Context: process context.
 */
void scst_pool_set_threads(struct scst_pool *pool, unsigned int max_threads)
{
	WRITE_ONCE(pool->max_workers, max_threads);
	swake_up_all(&pool->idle);
	swake_up_all(&pool->retired);
	/* Those that run may be busy for long, and nobody kicks for what waits already. */
	if (scst_pool_has_work(pool))
		scst_pool_kick(pool);
}

/* Thread ids, space separated, as sessions/<s>/lun<N>/thread_pid shows them. */
int scst_pool_print_pids(struct scst_pool *pool, char *buf, size_t room)
{
	struct scst_worker *worker;
	int len = 0;

	spin_lock(&pool->lock);
	list_for_each_entry(worker, &pool->workers, entry)
		len += scnprintf(buf + len, room - len, "%s%d", len ? " " : "", worker->task->pid);
	spin_unlock(&pool->lock);
	return len;
}
