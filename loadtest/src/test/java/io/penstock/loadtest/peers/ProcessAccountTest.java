package io.penstock.loadtest.peers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ProcessAccountTest {
    private static final String STAT =
            "4711 (java) S 4700 4711 4700 34816 4711 4194304 14507 0 12 0 1234 567 3 4 20 0 89"
                    + " 0 123456 4096000000 52000 18446744073709551615 1 1 0 0 0 0 0 0 16800975 0 0 0 17 1 0 0 0 0 0";
    private static final String STATUS = "Name:\tjava\nVmPeak:\t 4000000 kB\nVmRSS:\t  204800 kB\nThreads:\t89\n";

    @Test
    void theProcessorTimeIncludesKernelTimeButNotTheTimeOfChildProcesses() {
        assertEquals(18_010_000_000L, ProcessAccount.parse(STAT, STATUS).cpuNanos());
    }

    @Test
    void theNumberOfThreadsAndTheMemoryAreRead() {
        ProcessAccount account = ProcessAccount.parse(STAT, STATUS);
        assertEquals(89, account.threads());
        assertEquals(200L << 20, account.residentBytes());
    }

    @Test
    void aCommandNameWithBlanksAndParenthesesIsParsed() {
        ProcessAccount account = ProcessAccount.parse(STAT.replace("(java)", "(a (b) 1 2 3)"), STATUS);
        assertEquals(89, account.threads());
        assertEquals(18_010_000_000L, account.cpuNanos());
    }

    @Test
    void aZombieProcessHasNoMemory() {
        assertEquals(
                0,
                ProcessAccount.parse(STAT, "Name:\tjava\nState:\tZ (zombie)\n").residentBytes());
    }

    @Test
    void theProcessorTimeBetweenTwoReadingsIsReturnedInSeconds() {
        ProcessAccount earlier = new ProcessAccount(1_500_000_000L, 0, 1);
        assertEquals(2.5, new ProcessAccount(4_000_000_000L, 0, 1).cpuSecondsSince(earlier));
    }

    @Test
    void theProcessorTimeAndTheMemoryOfThisProcessAreRead() throws Exception {
        ProcessAccount account = ProcessAccount.of(ProcessHandle.current().pid());
        assertTrue(account.cpuNanos() > 0, account.toString());
        assertTrue(account.residentBytes() > 1 << 20, account.toString());
    }

    @Test
    void aMissingProcessIsReported() {
        ServerFailure failure = assertThrows(ServerFailure.class, () -> ProcessAccount.of(Integer.MAX_VALUE));
        assertTrue(failure.getMessage().startsWith("No data of process 2147483647"), failure.getMessage());
    }
}
