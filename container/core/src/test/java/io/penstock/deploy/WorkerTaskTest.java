package io.penstock.deploy;

import static io.penstock.PromptWaits.PATIENCE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.penstock.Undeclared;
import io.penstock.memory.Rounds;
import io.penstock.work.RequestQueue;
import io.penstock.work.Workers;
import java.io.IOException;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A change of the applications, for which the caller waits. */
final class WorkerTaskTest {
    private final RequestQueue queue = new RequestQueue(10, 1);
    private final Workers workers = new Workers(queue, 1, "", Rounds.unwatched());

    @AfterEach
    void stop() throws InterruptedException {
        workers.stop(PATIENCE);
    }

    @Test
    void theCallerGetsACheckedExceptionThatTheApplicationDoesNotDeclare() {
        CompletionException thrown = assertTimeoutPreemptively(
                PATIENCE,
                () -> assertThrows(
                        CompletionException.class,
                        () -> WorkerTask.carryOut(queue, () -> {
                            Undeclared.raise(new IOException("undeclared"));
                            return "done";
                        })));
        assertEquals("undeclared", thrown.getCause().getMessage());
    }
}
