/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "inject/lib/owner.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define BLOCK_WORDS 512

/* `taken` notes the words in use. It is not in the page of words, which the kernel clears in a
 * child. */
struct block {
	tt_owner *word; /* [BLOCK_WORDS] */
	bool taken[BLOCK_WORDS];
	struct block *next;
};

static struct block *blocks;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct block *new_block(void)
{
	const size_t size = BLOCK_WORDS * sizeof(uintptr_t);
	struct block *b = calloc(1, sizeof *b);
	void *page =
		b ? mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
		  : MAP_FAILED;

	if (page == MAP_FAILED) {
		free(b);
		return NULL;
	}
	madvise(page, size, MADV_WIPEONFORK);
	b->word = page;
	b->next = blocks;
	blocks = b;
	return b;
}

static tt_owner *take_free(struct block *b)
{
	for (size_t i = 0; i < BLOCK_WORDS; i++)
		if (!b->taken[i]) {
			b->taken[i] = true;
			return &b->word[i];
		}
	return NULL;
}

tt_owner *tt_owner_new(uintptr_t thread)
{
	tt_owner *word = NULL;
	struct block *b;

	pthread_mutex_lock(&lock);
	for (b = blocks; b && !word; b = b->next)
		word = take_free(b);
	if (!word && (b = new_block()))
		word = take_free(b);
	if (word)
		*word = thread;
	pthread_mutex_unlock(&lock);
	return word;
}

void tt_owner_free(tt_owner *word)
{
	if (!word)
		return;
	pthread_mutex_lock(&lock);
	for (struct block *b = blocks; b; b = b->next)
		if (word >= b->word && word < b->word + BLOCK_WORDS)
			b->taken[word - b->word] = false;
	pthread_mutex_unlock(&lock);
}

/* The lock is initialized, since the thread that held it may not exist in the child. */
void tt_owner_wipe(void)
{
	pthread_mutex_init(&lock, NULL);
	for (struct block *b = blocks; b; b = b->next)
		for (size_t i = 0; i < BLOCK_WORDS; i++)
			b->word[i] = 0;
}
