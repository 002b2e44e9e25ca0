package io.penstock.loadtest.peers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ContextSwitchesTest {
    @TempDir
    Path tasks;

    @Test
    void voluntaryContextSwitchesAreReadForEachThread() throws IOException {
        thread(11, 5);
        thread(12, 70);
        assertEquals(
                Map.of(11L, 5L, 12L, 70L),
                ProcessAccount.ContextSwitches.read(tasks).voluntary());
    }

    @Test
    void contextSwitchesOfNewThreadsAreIncludedAndThoseOfEndedThreadsAreExcluded() throws IOException {
        thread(11, 5);
        thread(12, 70);
        ProcessAccount.ContextSwitches before = ProcessAccount.ContextSwitches.read(tasks);
        thread(11, 9);
        Files.delete(tasks.resolve("12/status"));
        thread(13, 3);
        assertEquals(7, ProcessAccount.ContextSwitches.read(tasks).since(before));
    }

    @Test
    void theContextSwitchesOfThisProcessAreRead() throws Exception {
        ProcessAccount.ContextSwitches own =
                ProcessAccount.ContextSwitches.of(ProcessHandle.current().pid());
        assertTrue(own.voluntary().size() > 5, own.toString());
        assertTrue(own.since(new ProcessAccount.ContextSwitches(Map.of())) > 0, own.toString());
    }

    @Test
    void aMissingProcessIsReported() {
        ServerFailure failure =
                assertThrows(ServerFailure.class, () -> ProcessAccount.ContextSwitches.of(Integer.MAX_VALUE));
        assertTrue(failure.getMessage().startsWith("No context switches of process 2147483647"), failure.getMessage());
    }

    private void thread(int number, long voluntary) throws IOException {
        Path folder = Files.createDirectories(tasks.resolve(Integer.toString(number)));
        Files.writeString(
                folder.resolve("status"),
                "Name:\tworker\nvoluntary_ctxt_switches:\t" + voluntary + "\nnonvoluntary_ctxt_switches:\t900\n");
    }
}
