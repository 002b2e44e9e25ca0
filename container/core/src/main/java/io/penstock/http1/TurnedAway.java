package io.penstock.http1;

import io.penstock.limits.Key;
import io.penstock.pipe.ResponsePipe;
import io.penstock.pipe.Segment;
import io.penstock.reactor.Link;
import io.penstock.reactor.LinkHandler;
import java.io.IOException;
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
        private final ResponsePipe out;
        private final Deadline deadline;
        private final Trace trace;

        Client(Link link, String id) {
            this.link = link;
            this.id = id;
            this.out = new ResponsePipe(service.pool(), service.config().pipes().capacity());
            this.deadline = new Deadline(link) {
                @Override
                void passed() {
                    timedOut();
                }
            };
            service.events().opened(id, link.remote());
            this.trace = Trace.beginUnread(service, id, link, out);
            link.signal(ANSWER); // this reactor: as soon as the link knows its handler
        }

        @Override
        public void onSignals(int bits) throws IOException {
            CannedAnswer answer = CannedAnswer.busy(service.queue().secondsToEmpty(), true, true)
                    .told(trace, Key.MAX_CONNECTIONS.id());
            service.events().refused(id, answer.status(), Key.MAX_CONNECTIONS.id());
            send(answer);
            link.shutdownOutput();
            deadline.in(service.config().timeouts().linger());
        }

        /** An empty socket takes a few hundred bytes; if not, nobody has a right to more of our time. */
        private void send(CannedAnswer answer) throws IOException {
            trace.responding(answer.status());
            Segment segment = service.pool().acquireForOutput();
            answer.encode(segment, service.date());
            out.append(segment);
            if (out.drainTo(link, ResponsePipe.NOTHING)) {
                trace.left(out.sent());
            }
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
            out.fail(cause);
            trace.lost(String.valueOf(cause.getMessage())); // unless it has its answer
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
