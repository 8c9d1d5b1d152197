/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * visitor PORT - requests the first page of an HTTP server on this machine repeatedly, over one
 * connection at a time. Prints "served" after the first answer, and continues until it is killed.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int reach(int port)
{
	const struct sockaddr_in at = {.sin_family = AF_INET,
				       .sin_port = htons((uint16_t)port),
				       .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd >= 0 && connect(fd, (const struct sockaddr *)&at, sizeof at)) {
		close(fd);
		return -1;
	}
	return fd;
}

/* One request and the whole answer, whose length is in its head; false: the connection has ended.
 */
static bool ask(int fd)
{
	static const char request[] = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
	static const char length_is[] = "\r\nContent-Length: ";
	char answer[4096];
	size_t n = 0, wanted = 0;

	if (send(fd, request, sizeof request - 1, MSG_NOSIGNAL) != sizeof request - 1)
		return false;
	while (!wanted || n < wanted) {
		ssize_t more = recv(fd, answer + n, sizeof answer - 1 - n, 0);
		const char *length, *body;

		if (more <= 0)
			return false;
		answer[n += (size_t)more] = '\0';
		length = strstr(answer, length_is);
		body = strstr(answer, "\r\n\r\n");
		if (length && body)
			wanted = (size_t)(body + 4 - answer) +
				 strtoul(length + sizeof length_is - 1, NULL, 10);
	}
	return !strncmp(answer, "HTTP/1.1 200", 12);
}

int main(int argc, char **argv)
{
	bool said = false;
	int fd;

	if (argc != 2)
		return 2;
	while ((fd = reach((int)strtol(argv[1], NULL, 10))) >= 0) {
		while (ask(fd)) {
			if (!said)
				puts("served");
			said = true;
			fflush(stdout);
		}
		close(fd);
		if (!said)
			return 1;
	}
	return 1;
}
