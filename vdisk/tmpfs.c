// SPDX-License-Identifier: GPL-2.0
/*
 * Reading from a tmpfs file what is in memory.
 *
 * tmpfs looks up, locks and unlocks one page at a time; for large reads that
 * costs as much as copying the data. What a page holds is read here without
 * its lock, as the page cache of other file systems does it (filemap_read()),
 * and pages are looked up by the batch. Nothing here sleeps.
 */
#include <linux/magic.h>
#include <linux/pagemap.h>
#include <linux/pagevec.h>
#include <linux/swap.h>
#include <linux/uio.h>

#include "vdisk.h"

bool vdisk_is_tmpfs(const struct file *file)
{
	const struct inode *inode = file_inode(file);

	return S_ISREG(inode->i_mode) && inode->i_sb->s_magic == TMPFS_MAGIC;
}

/* Copy from @pos to the end of the folio, or of what is asked for. */
static bool tmpfs_copy_folio(struct address_space *mapping, struct folio *folio, loff_t pos,
			     struct iov_iter *iter)
{
	size_t offset = pos - folio_pos(folio);
	size_t len = min(iov_iter_count(iter), folio_size(folio) - offset);

	if (!folio_test_uptodate(folio) || folio_test_hwpoison(folio) ||
	    (folio_test_large(folio) && folio_test_has_hwpoisoned(folio)))
		return false;
	/* Looked at after the folio was found: truncation goes the other way round. */
	if (pos + len > i_size_read(mapping->host))
		return false;
	if (mapping_writably_mapped(mapping))
		flush_dcache_folio(folio);
	folio_mark_accessed(folio);
	return copy_folio_to_iter(folio, offset, len, iter) == len;
}

/**
 * vdisk_tmpfs_read() - read until something is not in memory
 * @file: a file for which vdisk_is_tmpfs() is true
 * @pos: where to begin
 * @iter: where to copy; advanced
 *
 * Holes, what is swapped out and the end of the file are left to ->read_iter().
 *
 * Context: task context, need not be able to sleep.
 * Return: number of bytes.
 */
size_t vdisk_tmpfs_read(struct file *file, loff_t pos, struct iov_iter *iter)
{
	struct address_space *mapping = file->f_mapping;
	size_t wanted = iov_iter_count(iter);
	pgoff_t index = pos >> PAGE_SHIFT, last = (pos + wanted - 1) >> PAGE_SHIFT;
	loff_t end = pos + wanted;
	struct folio_batch batch;
	unsigned int i;
	bool more = true;

	while (more && iov_iter_count(iter)) {
		folio_batch_init(&batch);
		more = filemap_get_folios_contig(mapping, &index, last, &batch);
		for (i = 0; i < folio_batch_count(&batch); i++) {
			if (more)
				more = tmpfs_copy_folio(mapping, batch.folios[i],
							end - iov_iter_count(iter), iter);
			folio_put(batch.folios[i]);
		}
	}
	return wanted - iov_iter_count(iter);
}
