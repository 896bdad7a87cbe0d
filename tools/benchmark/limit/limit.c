/* limit PLAYERS TURNS FRAMES is a server without a game, a scheduler or memory to manage: one thread that
   waits by epoll, sends each player the same TURN, and counts answers. Its rate and its processor
   time are those of the system calls that any server on TCP needs.

   The file FRAMES has the frames that it sends: LOGIN_ACK, GAME_STARTS of each player, TURN and
   GAME_ENDS. It prints its address. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { HEADER = 4, MOST_PLAYERS = 64, LARGEST_ANSWER = 1 << 16 };

struct frame {
	uint32_t size; /* with its header */
	char *bytes;
};

struct player {
	int socket;
	uint32_t have; /* bytes of an answer that has not come whole */
	char answer[LARGEST_ANSWER];
};

static struct player players[MOST_PLAYERS];

static void fail(const char *what)
{
	perror(what);
	exit(1);
}

static struct frame read_frame(FILE *in)
{
	uint32_t content; /* the wire's order of bytes is this machine's */
	struct frame f;

	if (fread(&content, HEADER, 1, in) != 1)
		fail("frames");
	f.size = HEADER + content;
	f.bytes = malloc(f.size);
	memcpy(f.bytes, &content, HEADER);
	if (fread(f.bytes + HEADER, content, 1, in) != 1)
		fail("frames");
	return f;
}

/* send_frame blocks only if a client has not read what it was sent before. */
static void send_frame(const struct player *p, struct frame f)
{
	for (uint32_t sent = 0; sent < f.size;) {
		ssize_t n = write(p->socket, f.bytes + sent, f.size - sent);
		if (n <= 0)
			fail("write");
		sent += n;
	}
}

/* receive returns the number of messages that end in the bytes that are there. */
static int receive(struct player *p)
{
	int messages = 0;
	uint32_t content, begin = 0;
	ssize_t n = read(p->socket, p->answer + p->have, sizeof p->answer - p->have);

	if (n <= 0)
		fail("read");
	for (p->have += n; p->have - begin >= HEADER; begin += HEADER + content) {
		memcpy(&content, p->answer + begin, HEADER);
		if (p->have - begin - HEADER < content)
			break;
		messages++;
	}
	p->have -= begin;
	memmove(p->answer, p->answer + begin, p->have);
	return messages;
}

int main(int argc, char **argv)
{
	int count = argc == 4 ? atoi(argv[1]) : 0, turns = argc == 4 ? atoi(argv[2]) : 0, on = 1;
	FILE *in = argc == 4 ? fopen(argv[3], "rb") : NULL;
	if (count < 1 || count > MOST_PLAYERS || turns < 1 || in == NULL) {
		fprintf(stderr, "usage: limit PLAYERS TURNS FRAMES\n");
		return 2;
	}
	struct frame ack = read_frame(in), starts[MOST_PLAYERS], turn, ends;
	for (int i = 0; i < count; i++)
		starts[i] = read_frame(in);
	turn = read_frame(in);
	ends = read_frame(in);

	struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t length = sizeof address;
	int listener = socket(AF_INET, SOCK_STREAM, 0), poll = epoll_create1(0);
	if (bind(listener, (struct sockaddr *)&address, length) || listen(listener, MOST_PLAYERS) ||
	    getsockname(listener, (struct sockaddr *)&address, &length))
		fail("listen");
	printf("127.0.0.1:%d\n", ntohs(address.sin_port));
	fflush(stdout);

	for (int i = 0; i < count; i++) {
		struct player *p = &players[i];
		struct epoll_event event = {.events = EPOLLIN, .data.ptr = p};
		if ((p->socket = accept(listener, NULL, NULL)) < 0)
			fail("accept");
		setsockopt(p->socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
		while (receive(p) == 0) /* its LOGIN */
			;
		send_frame(p, ack);
		epoll_ctl(poll, EPOLL_CTL_ADD, p->socket, &event);
	}
	for (int i = 0; i < count; i++)
		send_frame(&players[i], starts[i]);
	while (turns-- > 0) {
		for (int i = 0; i < count; i++)
			send_frame(&players[i], turn);
		for (int answers = 0; answers < count;) {
			struct epoll_event ready[MOST_PLAYERS];
			int n = epoll_wait(poll, ready, MOST_PLAYERS, -1);
			for (int i = 0; i < n; i++)
				answers += receive(ready[i].data.ptr);
		}
	}
	for (int i = 0; i < count; i++) {
		send_frame(&players[i], ends);
		shutdown(players[i].socket, SHUT_WR);
	}
	for (int i = 0; i < count; i++) /* until the client hangs up */
		while (read(players[i].socket, players[i].answer, sizeof players[i].answer) > 0)
			;
	return 0;
}
