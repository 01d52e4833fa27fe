// SPDX-License-Identifier: GPL-2.0
/*
 * Data buffers: per-CPU caches of page blocks, the largest first, so that a
 * buffer has few scatterlist entries and a transport few work requests.
 *
 * Blocks are not cleared. What is in a buffer before its command writes there
 * belongs to somebody else, so transports send cmd->data_len bytes and no more,
 * and a handler that moves no data gets the zero block instead.
 *
 * Bounds: each CPU keeps at most SCST_BUF_CACHE_BYTES, given back under memory
 * pressure; all buffers in use together take at most scst_max_cmd_mem, those of
 * one device scst_max_dev_cmd_mem. Beyond that commands end with BUSY.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/gfp.h>
#include <linux/mm.h>
#include <linux/percpu_counter.h>
#include <linux/shrinker.h>
#include <linux/slab.h>

#include "internal.h"

#define SCST_BUF_MAX_ORDER	6			/* 256 KB with 4 KB pages */
#define SCST_BUF_CACHE_BYTES	(16U << 20)
#define SCST_BUF_BATCH		(1024 * 1024)		/* slack of the global count, per CPU */

enum scst_buf_kind {
	SCST_BUF_NONE,		/* the transport's, or none */
	SCST_BUF_PAGES,		/* blocks of ours */
	SCST_BUF_ZERO,		/* the zero block, many times */
};

struct scst_buf_cache {
	struct list_head blocks[SCST_BUF_MAX_ORDER + 1];	/* page->lru */
	unsigned int bytes;
};

static DEFINE_PER_CPU(struct scst_buf_cache, scst_buf_caches);
static struct percpu_counter scst_buf_used;
static atomic_long_t scst_buf_refused;		/* for a limit or for lack of memory */
static atomic_long_t scst_buf_released;		/* caches given back under memory pressure */
static struct page *scst_zero_block;
static unsigned int scst_zero_order;

static unsigned int scst_max_cmd_mem;
module_param(scst_max_cmd_mem, uint, 0444);
MODULE_PARM_DESC(scst_max_cmd_mem, "memory for data buffers of all commands, MiB (default: RAM / 4)");

static unsigned int scst_max_dev_cmd_mem;
module_param(scst_max_dev_cmd_mem, uint, 0444);
MODULE_PARM_DESC(scst_max_dev_cmd_mem, "of that for one device, MiB (default: two fifths)");

static struct page *scst_block_get(unsigned int order)
{
	struct scst_buf_cache *cache;
	struct page *page;
	unsigned long flags;
	gfp_t gfp = GFP_NOWAIT | __GFP_NOWARN;

	local_irq_save(flags);
	cache = this_cpu_ptr(&scst_buf_caches);
	page = list_first_entry_or_null(&cache->blocks[order], struct page, lru);
	if (likely(page)) {
		list_del(&page->lru);
		cache->bytes -= PAGE_SIZE << order;
	}
	local_irq_restore(flags);
	if (likely(page))
		return page;
	return alloc_pages(order ? gfp | __GFP_COMP | __GFP_NORETRY : gfp, order);
}

static void scst_block_put(struct page *page, unsigned int order)
{
	struct scst_buf_cache *cache;
	unsigned long flags;
	bool keep;

	local_irq_save(flags);
	cache = this_cpu_ptr(&scst_buf_caches);
	keep = cache->bytes + (PAGE_SIZE << order) <= SCST_BUF_CACHE_BYTES;
	if (likely(keep)) {
		list_add(&page->lru, &cache->blocks[order]);
		cache->bytes += PAGE_SIZE << order;
	}
	local_irq_restore(flags);
	if (unlikely(!keep))
		__free_pages(page, order);
}

static int scst_buf_table(struct scst_cmd *cmd, unsigned int nents)
{
	if (nents <= ARRAY_SIZE(cmd->inline_sg)) {
		cmd->sgl = cmd->inline_sg;
	} else {
		cmd->sgl = kmalloc_array(nents, sizeof(*cmd->sgl), GFP_ATOMIC | __GFP_NOWARN);
		if (!cmd->sgl)
			return -ENOMEM;
	}
	sg_init_table(cmd->sgl, nents);
	return 0;
}

static void scst_buf_table_free(struct scst_cmd *cmd)
{
	if (cmd->sgl != cmd->inline_sg)
		kfree(cmd->sgl);
	cmd->sgl = NULL;
	cmd->sg_nents = 0;
	cmd->own_buf = SCST_BUF_NONE;
}

/* Largest order whose block does not exceed what is needed, but for the last page. */
static unsigned int scst_buf_order(unsigned int npages)
{
	return min_t(unsigned int, ilog2(npages), SCST_BUF_MAX_ORDER);
}

/* Blocks that scst_buf_alloc() takes if memory is not fragmented. */
static unsigned int scst_buf_nents(unsigned int npages)
{
	unsigned int rest = npages & (BIT(SCST_BUF_MAX_ORDER) - 1);

	return (npages >> SCST_BUF_MAX_ORDER) + hweight32(rest);
}

/* A LUN that does not exist has no device. */
static void scst_buf_account(struct scst_cmd *cmd, s64 bytes)
{
	percpu_counter_add_batch(&scst_buf_used, bytes, SCST_BUF_BATCH);
	if (likely(cmd->nexus))
		percpu_counter_add_batch(&cmd->nexus->dev->buf_used, bytes, SCST_BUF_BATCH);
}

static bool scst_buf_exhausted(const struct scst_cmd *cmd)
{
	if (percpu_counter_read(&scst_buf_used) + cmd->data_len > (s64)scst_max_cmd_mem << 20)
		return true;
	return cmd->nexus && percpu_counter_read(&cmd->nexus->dev->buf_used) + cmd->data_len >
			     (s64)scst_max_dev_cmd_mem << 20;
}

static void scst_buf_free_blocks(struct scst_cmd *cmd)
{
	struct scatterlist *sg;
	unsigned int i;
	u64 bytes = 0;

	for_each_sg(cmd->sgl, sg, cmd->sg_nents, i) {
		struct page *page = sg_page(sg);
		unsigned int order = page_private(page);

		bytes += PAGE_SIZE << order;
		scst_block_put(page, order);
	}
	scst_buf_account(cmd, -(s64)bytes);
	scst_buf_table_free(cmd);
}

/*
 * Fill the table with blocks, none larger than @max_order. The last entry may
 * be larger than what is needed; its length is cut.
 */
static int scst_buf_fill(struct scst_cmd *cmd, unsigned int npages, unsigned int max_order,
			 unsigned int nents)
{
	struct scatterlist *sg = cmd->sgl;
	u32 left = cmd->data_len;
	u64 bytes = 0;

	cmd->sg_nents = 0;
	while (npages) {
		unsigned int order = min(scst_buf_order(npages), max_order);
		struct page *page = scst_block_get(order);
		u32 len = min_t(u32, left, PAGE_SIZE << order);

		if (!page || cmd->sg_nents == nents) {
			if (page)
				scst_block_put(page, order);
			break;
		}
		set_page_private(page, order);
		sg_set_page(sg, page, len, 0);
		cmd->sg_nents++;
		bytes += PAGE_SIZE << order;
		npages -= BIT(order);
		left -= len;
		if (npages)
			sg = sg_next(sg);
		else
			sg_mark_end(sg);
	}
	scst_buf_account(cmd, bytes);
	return npages ? -ENOMEM : 0;
}

static int scst_buf_try(struct scst_cmd *cmd, unsigned int npages, unsigned int max_order,
			unsigned int nents)
{
	if (scst_buf_table(cmd, nents))
		return -ENOMEM;
	cmd->own_buf = SCST_BUF_PAGES;
	if (likely(!scst_buf_fill(cmd, npages, max_order, nents)))
		return 0;
	scst_buf_free_blocks(cmd);
	return -ENOMEM;
}

/**
 * scst_buf_alloc() - give a command a buffer of cmd->data_len bytes
 * @cmd: command without a buffer; data_len is not 0
 *
 * Contents are undefined.
 *
 * Context: any.
 * Return: 0, or -ENOMEM.
 */
int scst_buf_alloc(struct scst_cmd *cmd)
{
	unsigned int npages = DIV_ROUND_UP(cmd->data_len, PAGE_SIZE);
	unsigned int nents = scst_buf_nents(npages);

	if (unlikely(scst_buf_exhausted(cmd)))
		goto refuse;
	if (likely(!scst_buf_try(cmd, npages, SCST_BUF_MAX_ORDER, nents)))
		return 0;
	/* Memory is fragmented: single pages. */
	if (nents != npages && !scst_buf_try(cmd, npages, 0, npages))
		return 0;
refuse:
	atomic_long_inc(&scst_buf_refused);
	return -ENOMEM;
}

/**
 * scst_buf_zero() - a Data-In buffer that holds zeroes
 * @cmd: command without a buffer; data_len is not 0
 *
 * Nobody may write to it.
 *
 * Context: any.
 * Return: 0, or -ENOMEM.
 */
int scst_buf_zero(struct scst_cmd *cmd)
{
	u32 block = PAGE_SIZE << scst_zero_order, left = cmd->data_len;
	unsigned int nents = DIV_ROUND_UP(left, block), i;
	struct scatterlist *sg;

	if (scst_buf_table(cmd, nents)) {
		atomic_long_inc(&scst_buf_refused);
		return -ENOMEM;
	}
	for_each_sg(cmd->sgl, sg, nents, i) {
		sg_set_page(sg, scst_zero_block, min(left, block), 0);
		left -= min(left, block);
	}
	cmd->sg_nents = nents;
	cmd->own_buf = SCST_BUF_ZERO;
	return 0;
}

/* Free what the core allocated for a command, if anything. Context: any. */
void scst_buf_free(struct scst_cmd *cmd)
{
	if (cmd->own_buf == SCST_BUF_PAGES)
		scst_buf_free_blocks(cmd);
	else if (cmd->own_buf == SCST_BUF_ZERO)
		scst_buf_table_free(cmd);
}

static void scst_buf_cache_drain(struct scst_buf_cache *cache)
{
	struct page *page, *next;
	unsigned int order;

	for (order = 0; order <= SCST_BUF_MAX_ORDER; order++)
		list_for_each_entry_safe(page, next, &cache->blocks[order], lru) {
			list_del(&page->lru);
			__free_pages(page, order);
		}
	cache->bytes = 0;
}

static void scst_buf_drain_cpu(void *unused)
{
	scst_buf_cache_drain(this_cpu_ptr(&scst_buf_caches));
}

static void scst_buf_drain_work(struct work_struct *work)
{
	on_each_cpu(scst_buf_drain_cpu, NULL, 1);
}

static DECLARE_WORK(scst_buf_drain, scst_buf_drain_work);

static unsigned long scst_buf_cached_pages(void)
{
	unsigned long bytes = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		bytes += READ_ONCE(per_cpu(scst_buf_caches, cpu).bytes);
	return bytes >> PAGE_SHIFT;
}

static unsigned long scst_buf_shrink_count(struct shrinker *shrinker, struct shrink_control *sc)
{
	return scst_buf_cached_pages() ?: SHRINK_EMPTY;
}

/* Reclaim may run anywhere, so the CPUs are asked from a work. */
static unsigned long scst_buf_shrink_scan(struct shrinker *shrinker, struct shrink_control *sc)
{
	if (queue_work(scst_wq, &scst_buf_drain))
		atomic_long_inc(&scst_buf_released);
	return SHRINK_STOP;
}

static struct shrinker scst_buf_shrinker = {
	.count_objects	= scst_buf_shrink_count,
	.scan_objects	= scst_buf_shrink_scan,
	.seeks		= DEFAULT_SEEKS,
};

/* sgv/global_stats */
ssize_t scst_buf_print(char *buf)
{
	unsigned int pages_per_mb = 1 << (20 - PAGE_SHIFT);
	s64 used = max(percpu_counter_sum(&scst_buf_used), 0LL);
	unsigned long keep = num_possible_cpus() * (SCST_BUF_CACHE_BYTES >> PAGE_SHIFT);

	return sysfs_emit(buf,
			  "Inactive/active pages: %lu/%lld\n"
			  "Hi/lo watermarks [pages]: %lu/%lu\n"
			  "Hi watermark releases/failures: %ld/%ld\n"
			  "Other allocs: 0\n",
			  scst_buf_cached_pages(), used >> PAGE_SHIFT,
			  (unsigned long)scst_max_cmd_mem * pages_per_mb, keep,
			  atomic_long_read(&scst_buf_released),
			  atomic_long_read(&scst_buf_refused));
}

void scst_buf_reset_stats(void)
{
	atomic_long_set(&scst_buf_released, 0);
	atomic_long_set(&scst_buf_refused, 0);
}

static void scst_buf_set_limits(void)
{
	if (!scst_max_cmd_mem)
		scst_max_cmd_mem = max(totalram_pages() >> (20 - PAGE_SHIFT) >> 2, 1UL);
	if (!scst_max_dev_cmd_mem)
		scst_max_dev_cmd_mem = max((u64)scst_max_cmd_mem * 2 / 5, 1ULL);
	scst_max_dev_cmd_mem = min(scst_max_dev_cmd_mem, scst_max_cmd_mem);
}

int scst_buf_init(void)
{
	unsigned int order;
	int cpu, err;

	for_each_possible_cpu(cpu)
		for (order = 0; order <= SCST_BUF_MAX_ORDER; order++)
			INIT_LIST_HEAD(&per_cpu(scst_buf_caches, cpu).blocks[order]);
	scst_buf_set_limits();

	for (scst_zero_order = SCST_BUF_MAX_ORDER; ; scst_zero_order--) {
		scst_zero_block = alloc_pages(GFP_KERNEL | __GFP_ZERO | __GFP_NOWARN | __GFP_COMP,
					      scst_zero_order);
		if (scst_zero_block)
			break;
		if (!scst_zero_order)
			return -ENOMEM;
	}
	err = percpu_counter_init(&scst_buf_used, 0, GFP_KERNEL);
	if (err)
		goto err_zero;
	err = register_shrinker(&scst_buf_shrinker, "scst-buf");
	if (err)
		goto err_counter;
	return 0;

err_counter:
	percpu_counter_destroy(&scst_buf_used);
err_zero:
	__free_pages(scst_zero_block, scst_zero_order);
	return err;
}

void scst_buf_exit(void)
{
	int cpu;

	unregister_shrinker(&scst_buf_shrinker);
	cancel_work_sync(&scst_buf_drain);
	for_each_possible_cpu(cpu)
		scst_buf_cache_drain(&per_cpu(scst_buf_caches, cpu));
	WARN_ON_ONCE(percpu_counter_sum(&scst_buf_used));
	percpu_counter_destroy(&scst_buf_used);
	__free_pages(scst_zero_block, scst_zero_order);
}
