package io.penstock.loadtest.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.loadtest.client.ClientLoop;
import io.penstock.loadtest.client.Failure;
import io.penstock.loadtest.client.Request;
import io.penstock.loadtest.client.Target;
import io.penstock.loadtest.compare.Overload.Answers;
import io.penstock.loadtest.compare.Overload.Answers.Answer;
import io.penstock.loadtest.load.OpenPlan;
import io.penstock.loadtest.load.ScriptedServer;
import io.penstock.testing.FreePort;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that each request of an open loop has its outcome, and the counts and latencies of these outcomes. */
@Timeout(120)
class AnswersTest {
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final long MILLI = 1_000_000;
    private static final Answers ANSWERS = new Answers(List.of(
            new Answer(0, MILLI, 200, null),
            new Answer(10, 3 * MILLI, 204, null),
            new Answer(20, 7 * MILLI, 503, null),
            new Answer(30, 2 * MILLI, 404, null),
            new Answer(40, 2000 * MILLI, 0, Failure.DEADLINE),
            new Answer(50, MILLI, 0, Failure.CONNECT_REFUSED),
            new Answer(60, MILLI, 0, Failure.CONNECT_TIMED_OUT),
            new Answer(70, MILLI, 0, Failure.RESET)));

    @Test
    void outcomesAreCounted() {
        assertEquals(2, ANSWERS.count(Answer::isGood));
        assertEquals(1, ANSWERS.count(Answer::isRefusal));
        assertEquals(1, ANSWERS.count(Answer::isTimeout));
        assertEquals(25, ANSWERS.percent(Answer::isConnectError));
        assertEquals(0, new Answers(List.of()).percent(Answer::isGood));
    }

    @Test
    void latenciesIncludeOnlyTheSelectedAnswers() {
        assertEquals(2, ANSWERS.latencies(Answer::isGood).getTotalCount());
        assertEquals(3.0, ANSWERS.latencies(Answer::isGood).getMaxValue() / 1e6, 0.01);
        assertEquals(7.0, ANSWERS.latencies(Answer::isRefusal).getValueAtPercentile(99.9) / 1e6, 0.01);
    }

    @Test
    void everyRequestHasAnOutcomeAndAScheduledTime() throws Exception {
        try (ScriptedServer server =
                new ScriptedServer((number, connection) -> ScriptedServer.answer(connection, ScriptedServer.OK))) {
            Answers answers = offer(server.url(), 200, 40);
            assertEquals(40, answers.count(Answer::isGood));
            // The answers come in any order.
            assertEquals(
                    LongStream.range(0, 40).map(n -> n * 5 * MILLI).boxed().toList(),
                    answers.all().stream().map(Answer::due).sorted().toList());
        }
    }

    @Test
    void eachRequestToAnUnreachableServerIsAConnectError() throws Exception {
        String nobody = "http://127.0.0.1:" + FreePort.next() + "/";
        assertEquals(10, offer(nobody, 500, 10).count(Answer::isConnectError));
    }

    private static Answers offer(String url, int perSecond, int requests) throws Exception {
        OpenPlan plan = OpenPlan.ofRequests(Request.get(Target.of(URI.create(url))), perSecond, requests);
        try (ClientLoop loop = ClientLoop.start(plan.maxConnections())) {
            return ClientLoop.await(Answers.begin(loop, plan), PATIENCE);
        }
    }
}
