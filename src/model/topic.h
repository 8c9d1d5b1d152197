/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * topic - what a number is about: each fact and each variable has one. Screens offer their columns
 * by it, see screen/topic.h.
 */
#ifndef MODEL_TOPIC_H
#define MODEL_TOPIC_H

enum topic {
	TOPIC_OTHER, /* of columns that name nothing */
	TOPIC_IDENTITY,
	TOPIC_CPU_TIME,
	TOPIC_WAITING,
	TOPIC_MEMORY,
	TOPIC_COUNTERS,
	TOPIC_REGIONS,
	TOPIC_LOCKS,
	TOPIC_PLACE,
	N_TOPICS
};

#endif
