package io.penstock.loadtest.peers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.loadtest.client.ClientLoop;
import io.penstock.loadtest.client.Request;
import io.penstock.loadtest.client.Target;
import io.penstock.loadtest.load.ClosedLoop;
import io.penstock.loadtest.load.ClosedPlan;
import io.penstock.loadtest.load.LoadResult;
import io.penstock.testing.NeedsProgram;
import io.penstock.testing.Program;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * Tests that the server {@code EpollLoop}, a C program, can be compiled and answers requests.
 */
@NeedsProgram(Program.CC)
class EpollLoopTest {
    @Test
    void theProgramAnswersPipelinedRequestsAndExitsAfterClose() throws Exception {
        long pid;
        try (EpollLoop server = EpollLoop.start()) {
            pid = server.pid();
            Target target = server.target("/hello");
            try (ClientLoop loop = ClientLoop.start(4)) {
                ClosedPlan plan = ClosedPlan.of(Request.get(target), 4, Duration.ofMillis(100))
                        .withPipelining(16);
                LoadResult result = new ClosedLoop(loop, plan).await();
                assertTrue(result.isAllAnswered(), result.toString());
            }
            assertEquals(1, ProcessAccount.of(pid).threads());
        }
        assertFalse(ProcessHandle.of(pid).isPresent());
    }
}
