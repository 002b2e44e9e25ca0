package io.penstock.exchange;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.events.CloseCause;
import io.penstock.events.ConnectionEvents;
import io.penstock.events.RequestSummary;
import io.penstock.events.RequestSummary.Outcome;
import io.penstock.http.FieldList;
import io.penstock.http.Fields;
import io.penstock.http.RequestHead;
import io.penstock.http.RequestTarget;
import io.penstock.http.Version;
import io.penstock.http1.RecordedEvents;
import io.penstock.http1.WireConfig;
import io.penstock.limits.Counters;
import io.penstock.memory.Rounds;
import io.penstock.pipe.SegmentPool;
import io.penstock.reactor.ConnectionClosed;
import io.penstock.reactor.Reactor;
import io.penstock.time.Clock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Two requests of one link, each with its own stream, as in HTTP/2. The end of one stream must not look like the end of the other. */
final class StreamsOfOneLinkTest {
    private final List<RequestSummary> ended = new ArrayList<>();
    private final TestResources resources =
            new TestResources(new SegmentPool(1024, 20 * 1024), new WireConfig(), new RecordedEvents() {
                @Override
                public void ended(RequestSummary summary) {
                    ended.add(summary);
                }
            });
    private final SimulatedLink link = new SimulatedLink();
    private final FakeStream first;
    private final FakeStream second;

    StreamsOfOneLinkTest() throws IOException {
        // This reactor is not started. It is only the clock.
        link.reactor =
                new Reactor("reactor", Clock.SYSTEM, ConnectionEvents.NONE, new Counters(), 1024, Rounds.unwatched());
        first = new FakeStream(resources.resources(), link);
        second = new FakeStream(resources.resources(), link);
    }

    @AfterEach
    void close() throws Exception {
        first.writer().pipe().fail(new IOException("the end of the test"));
        second.writer().pipe().fail(new IOException("the end of the test"));
        link.reactor.stop();
        resources.close();
    }

    private static RequestReport begin(FakeStream stream, int number) {
        RequestHead head =
                new RequestHead("GET", RequestTarget.origin("/"), Version.HTTP_1_1, new FieldList().add("Host", "x"));
        return RequestReport.begin(stream, number, head, null, 0);
    }

    @Test
    void theReportOfARequestFollowsItsOwnStream() throws Exception {
        RequestReport lost = begin(first, 1);
        RequestReport sent = begin(second, 2);
        sent.responding(200, Fields.EMPTY);
        second.writer().pipe().appendWhole(ByteBuffer.allocate(10));
        first.writer().pipe().fail(new ConnectionClosed(CloseCause.CLIENT_RESET));
        lost.over(false);
        sent.over(true);
        sent.sent(10);
        assertEquals(
                List.of("c1-1 GONE client-reset 0", "c1-2 ANSWERED  10"),
                ended.stream()
                        .map(one -> one.request().id() + " " + one.outcome() + " " + one.reason() + " "
                                + one.volume().sent())
                        .toList());
        assertEquals(Outcome.GONE, ended.get(0).outcome());
    }

    @Test
    void theActionForADisconnectFollowsItsOwnStream() {
        List<String> ran = new ArrayList<>();
        first.onDisconnect().set(() -> ran.add("first"));
        first.writer().pipe().fail(new ConnectionClosed(CloseCause.CLIENT_RESET));
        first.onDisconnect().run();
        second.onDisconnect().set(() -> ran.add("second"));
        assertEquals(List.of("first"), ran);
        first.onDisconnect().set(() -> ran.add("after the end"));
        assertEquals(List.of("first", "after the end"), ran);
    }
}
