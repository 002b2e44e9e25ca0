package io.penstock.http1;

import io.penstock.limits.Key;
import io.penstock.pipe.Segment;
import io.penstock.reactor.Link;
import io.penstock.reactor.LinkHandler;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;

/**
 * The clients of one reactor that came when too many connections were open. Each is told so by 503 at once, whatever it has to say,
 * and has a little time to close: closing before it does, with bytes unread, would destroy the answer. There are never more than a
 * few: a newcomer takes the place of the one who has had most time.
 *
 * <p>Thread: the reactor.
 */
final class TurnedAway {
    private final Http1Service service;
    private final int most;
    private final ArrayDeque<Client> clients = new ArrayDeque<>();

    /** @param most clients at one time */
    TurnedAway(Http1Service service, int most) {
        this.service = service;
        this.most = most;
    }

    LinkHandler open(Link link) {
        while (clients.size() >= most) {
            clients.removeFirst().close("a place for the next");
        }
        Client client = new Client(link, service.nextId());
        clients.addLast(client);
        return client;
    }

    /** One client that is told to come again later. */
    private final class Client implements LinkHandler {
        private static final int ANSWER = 1;

        private final Link link;
        private final String id;
        private final Deadline deadline;

        Client(Link link, String id) {
            this.link = link;
            this.id = id;
            this.deadline = new Deadline(link, this::timedOut);
            service.events().opened(id, link.remote());
            link.signal(ANSWER); // this reactor: as soon as the link knows its handler
        }

        @Override
        public void onSignals(int bits) throws IOException {
            service.events().refused(id, Key.MAX_CONNECTIONS.consequence().status(), Key.MAX_CONNECTIONS.id());
            Segment answer = service.pool().acquireForOutput();
            try {
                CannedAnswer.busy(service.queue().secondsToEmpty(), true, true).encode(answer, service.date());
                // An empty socket takes a few hundred bytes; if not, nobody has a right to more of our time.
                link.write(new ByteBuffer[] {answer.buffer()}, 0, 1);
            } finally {
                answer.release();
            }
            link.shutdownOutput();
            deadline.in(service.config().timeouts().linger());
        }

        @Override
        public void onReadable() throws IOException {
            if (link.read(link.reactor().readBuffer()) < 0) {
                close("done");
            }
        }

        @Override
        public void onWritable() {
            // Nothing waits to be sent.
        }

        @Override
        public void onClosed(IOException cause) {
            deadline.remove();
            clients.remove(this);
            service.events().closed(id, String.valueOf(cause.getMessage()));
        }

        private void timedOut() {
            service.reached(Key.LINGER_TIMEOUT);
            service.events().timedOut(id, Key.LINGER_TIMEOUT.id());
            close(Key.LINGER_TIMEOUT.id());
        }

        void close(String cause) {
            link.close(new IOException(cause));
        }
    }
}
