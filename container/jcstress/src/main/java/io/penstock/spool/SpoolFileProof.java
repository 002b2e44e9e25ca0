package io.penstock.spool;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.penstock.limits.Counters;
import io.penstock.memory.ByteAccount;
import io.penstock.memory.Rounds;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/**
 * Checks a {@link SpoolFile} whose client disconnects during a write. The end of the write must be reported, the file must be closed once,
 * and its bytes must be returned to the budget once.
 */
public class SpoolFileProof {
    private static final SpoolFolder FOLDER = folder();

    private static SpoolFolder folder() {
        try {
            SpoolFolder made = SpoolFolder.create(Path.of(System.getProperty("java.io.tmpdir")));
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                try {
                    made.close();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }));
            return made;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A real file of a spool. The threads of the test run the tasks of the spool. */
    abstract static class Spooled {
        private final HandRunExecutor executor = new HandRunExecutor();
        private final Spool spool = new Spool(
                FOLDER, new SpoolThreads(executor, 4, Rounds.unwatched()), new ByteAccount(100), new Counters());
        private final AtomicInteger told = new AtomicInteger();
        final SpoolFile file = spool.create(null);

        SpoolFile.Appended append(int count) {
            return file.append(new ByteBuffer[] {ByteBuffer.allocate(count)}, failure -> told.incrementAndGet());
        }

        void runTasks() {
            executor.runAll();
        }

        String end() {
            executor.runAll();
            boolean open;
            try {
                open = file.channel().isOpen();
            } catch (ClosedChannelException e) {
                open = false; // the file was never made
            }
            return "told " + told.get() + (open ? ", open" : "") + ", files " + spool.files() + ", bytes "
                    + spool.used();
        }
    }

    /** The file is closed while its first write runs. */
    @JCStressTest
    @State
    @Outcome(
            id = "told 1, files 0, bytes 0",
            expect = ACCEPTABLE,
            desc = "the file is closed after the last write; all bytes are returned")
    @Outcome(
            expect = FORBIDDEN,
            desc = "the file stays open, bytes stay reserved, or an end is not reported exactly once")
    public static class WriteAgainstClose extends Spooled {

        public WriteAgainstClose() {
            append(7);
        }

        @Actor
        public void spool() {
            runTasks();
        }

        @Actor
        public void anyone() {
            file.close();
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = end();
        }
    }

    /** The file is closed while a second write is appended. The file on disk already exists. */
    @JCStressTest
    @State
    @Outcome(id = "YES, told 2, files 0, bytes 0", expect = ACCEPTABLE, desc = "the append came first")
    @Outcome(id = "CLOSED, told 1, files 0, bytes 0", expect = ACCEPTABLE, desc = "the close came first")
    @Outcome(
            expect = FORBIDDEN,
            desc = "the file stays open, bytes stay reserved, or an end is not reported exactly once")
    public static class AppendAgainstClose extends Spooled {
        private SpoolFile.Appended appended;

        public AppendAgainstClose() {
            append(7);
            runTasks();
        }

        @Actor
        public void reactor() {
            appended = append(9);
        }

        @Actor
        public void anyone() {
            file.close();
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = appended + ", " + end();
        }
    }

    /** The file is closed while a write is refused. The spool refuses all writes, because its limit is zero. */
    @JCStressTest
    @State
    @Outcome(
            id = {"BUSY, files 0, bytes 0", "CLOSED, files 0, bytes 0"},
            expect = ACCEPTABLE,
            desc = "the reserved bytes are returned")
    @Outcome(expect = FORBIDDEN, desc = "bytes stay reserved")
    public static class RefusalAgainstClose {
        private final HandRunExecutor executor = new HandRunExecutor();
        private final Spool spool = new Spool(
                FOLDER, new SpoolThreads(executor, 0, Rounds.unwatched()), new ByteAccount(100), new Counters());
        private final SpoolFile file = spool.create(null);
        private SpoolFile.Appended appended;

        @Actor
        public void reactor() {
            appended = file.append(new ByteBuffer[] {ByteBuffer.allocate(9)}, failure -> {
                throw new IllegalStateException("the end of a refused write was reported");
            });
        }

        @Actor
        public void anyone() {
            file.close();
        }

        @Arbiter
        public void outcome(L_Result r) {
            executor.runAll();
            file.close();
            r.r1 = appended + ", files " + spool.files() + ", bytes " + spool.used();
        }
    }

    /** Two threads close the same file. */
    @JCStressTest
    @State
    @Outcome(id = "told 1, files 0, bytes 0", expect = ACCEPTABLE, desc = "the file is closed once")
    @Outcome(expect = FORBIDDEN, desc = "the file is closed twice, or not closed")
    public static class CloseAgainstClose extends Spooled {

        public CloseAgainstClose() {
            append(7);
            runTasks();
        }

        @Actor
        public void reactor() {
            file.close();
        }

        @Actor
        public void worker() {
            file.close();
        }

        @Arbiter
        public void outcome(L_Result r) {
            r.r1 = end();
        }
    }
}
