package io.penstock.loadtest.peers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the calculation of the processor time that other programs use. Each test writes its own files in the format of {@code /proc}. */
class ProcessorUseTest {
    private static final long SELF = 100;
    private static final int KERNEL_THREAD = 0x208040;

    @TempDir
    Path proc;

    private long started;

    @Test
    void theProcessorTimeOfOtherProgramsExcludesThisProcessAndItsChildrenAndTheKernelThreads() throws IOException {
        machine(1000, 0, 500, 500, 0);
        process(1, 0, 0, 10, 0);
        process(2, 0, KERNEL_THREAD, 20, 0);
        process(SELF, 1, 0, 300, 40);
        process(101, SELF, 0, 500, 0);
        process(102, 101, 0, 60, 0);
        process(7, 1, 0, 70, 8);
        assertEquals(new ProcessorUse(2000, 1500, 0, 900, 20, 88), read());
    }

    @Test
    void theShareOfOtherProgramsIsRelativeToAllProcessors() throws IOException {
        machine(1000, 0, 0, 0, 0);
        process(SELF, 1, 0, 100, 0);
        process(7, 1, 0, 70, 0);
        ProcessorUse before = read();
        machine(1150, 0, 0, 50, 0);
        process(SELF, 1, 0, 200, 0);
        process(7, 1, 0, 120, 0);
        assertEquals(0.25, read().othersSince(before).orElseThrow());
        assertEquals(1.0, read().ownSecondsSince(before));
    }

    @Test
    void theProcessorTimeOfAnEndedProcessIsNotCountedTwice() throws IOException {
        machine(1000, 0, 0, 0, 0);
        process(7, 1, 0, 0, 0);
        process(8, 7, 0, 5000, 0);
        process(SELF, 1, 0, 0, 0);
        ProcessorUse before = read();
        machine(1020, 0, 0, 180, 0);
        process(7, 1, 0, 0, 5020);
        Files.delete(proc.resolve("8/stat"));
        assertEquals(0.1, read().othersSince(before).orElseThrow());
    }

    @Test
    void theProcessorTimeOfAnEndedChildIsCountedForThisProcess() throws IOException {
        machine(1000, 0, 0, 0, 0);
        process(SELF, 1, 0, 10, 0);
        process(101, SELF, 0, 30, 0);
        ProcessorUse before = read();
        machine(1090, 0, 0, 10, 0);
        process(SELF, 1, 0, 20, 110);
        Files.delete(proc.resolve("101/stat"));
        assertEquals(0, read().othersSince(before).orElseThrow());
        assertEquals(0.9, read().ownSecondsSince(before), 1e-9);
    }

    @Test
    void theTimeOfAProcessWithoutAFileInTheProcFolderIsCountedForOtherPrograms() throws IOException {
        machine(1000, 0, 0, 0, 0);
        process(SELF, 1, 0, 10, 0);
        process(2, 0, KERNEL_THREAD, 5, 0);
        ProcessorUse before = read();
        machine(1060, 0, 0, 40, 0);
        process(SELF, 1, 0, 30, 0);
        process(2, 0, KERNEL_THREAD, 15, 0);
        assertEquals(0.3, read().othersSince(before).orElseThrow());
    }

    @Test
    void theProcessorTimeOfOtherProgramsIsNeverNegative() throws IOException {
        machine(1000, 0, 0, 0, 0);
        process(SELF, 1, 0, 0, 0);
        ProcessorUse before = read();
        machine(1050, 50, 0, 0, 0);
        process(SELF, 1, 0, 100, 0);
        assertEquals(0, read().othersSince(before).orElseThrow());
    }

    @Test
    void timeIsCountedForOtherProgramsIfTheHypervisorStealsIt() throws IOException {
        machine(1000, 0, 0, 0, 0);
        process(SELF, 1, 0, 0, 0);
        ProcessorUse before = read();
        machine(1050, 0, 0, 30, 20);
        process(SELF, 1, 0, 50, 0);
        assertEquals(0.2, read().othersSince(before).orElseThrow());
    }

    @Test
    void theShareOfOtherProgramsIsEmptyIfNoTimeHasPassed() throws IOException {
        machine(1000, 0, 0, 0, 0);
        assertTrue(read().othersSince(read()).isEmpty());
    }

    @Test
    void theStatFileOfAnOldKernelWithFewerColumnsIsParsed() throws IOException {
        Files.writeString(proc.resolve("stat"), "cpu  10 0 5 85\ncpu0 10 0 5 85\n");
        assertEquals(new ProcessorUse(100, 15, 0, 0, 0, 0), read());
    }

    @Test
    void theResultIsEmptyIfTheProcFolderIsMissing() {
        assertEquals(Optional.empty(), ProcessorUse.read(proc.resolve("none"), SELF));
    }

    private ProcessorUse read() {
        return ProcessorUse.read(proc, SELF).orElseThrow();
    }

    /**
     * Writes the file {@code stat} with the given ticks: programs and kernel, interrupts, low-priority programs, idle time, and stolen
     * time.
     */
    private void machine(long busy, long interrupts, long nice, long idle, long stolen) throws IOException {
        Files.writeString(
                proc.resolve("stat"),
                String.format(
                        "cpu  %d %d 0 %d 0 0 %d %d 0 0%ncpu0 1 1 1 1 1 1 1 1 0 0%nctxt 5%n",
                        busy, nice, idle, interrupts, stolen));
    }

    private void process(long pid, long parent, int flags, long ticks, long ofChildren) throws IOException {
        Path folder = Files.createDirectories(proc.resolve(Long.toString(pid)));
        Files.writeString(
                folder.resolve("stat"),
                pid + " (a (b) 1 2) S " + parent + " 1 1 0 -1 " + flags + " 0 0 0 0 " + ticks + " 0 " + ofChildren
                        + " 0 20 0 1 0 " + ++started + " 0 0\n");
    }
}
