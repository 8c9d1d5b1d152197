/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "app/trim.h"

#include <link.h>
#include <malloc.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "perf/probe.h"

static bool has_relocated_code(const struct dl_phdr_info *info)
{
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &info->dlpi_phdr[i];
		const ElfW(Dyn) *entry = (const void *)(info->dlpi_addr + part->p_vaddr);

		for (; part->p_type == PT_DYNAMIC && entry->d_tag != DT_NULL; entry++)
			if (entry->d_tag == DT_TEXTREL || (entry->d_tag == DT_FLAGS && entry->d_un.d_val & DF_TEXTREL))
				return true;
	}
	return false;
}

/* The parts of a program or library that nobody can have written to. */
static int drop_clean(struct dl_phdr_info *info, size_t size, void *context)
{
	const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);

	(void)size, (void)context;
	if (has_relocated_code(info))
		return 0;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &info->dlpi_phdr[i];
		uintptr_t start = info->dlpi_addr + part->p_vaddr, end = start + part->p_memsz;

		if (part->p_type != PT_LOAD || part->p_flags & PF_W)
			continue;
		start &= ~(page - 1);
		/* Advice: where it is not taken, the pages stay. */
		madvise((void *)start, end - start, MADV_DONTNEED);
	}
	return 0;
}

void trim_memory(void)
{
	malloc_trim(0);
	if (!probe_status("TracerPid", 10))
		dl_iterate_phdr(drop_clean, NULL);
}
