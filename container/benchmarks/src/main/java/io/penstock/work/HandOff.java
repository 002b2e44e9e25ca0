package io.penstock.work;

import io.penstock.time.Clock;
import io.penstock.work.IdleWorkers.Taker;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Passes one round of requests from a reactor through the queue to workers, until all have run. The figure is the time of a round. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class HandOff {
    private static final int CAPACITY = 1024;

    @Param({"4", "32"})
    int workers = 4;

    /** The number of requests in one round. */
    @Param({"1", "16", "256"})
    int requests = 1;

    private final Semaphore ran = new Semaphore(0);
    private final Job job = new Job() {
        @Override
        public void run() {
            ran.release();
        }

        @Override
        public void abandon() {
            ran.release();
        }
    };
    private RequestQueue queue = new RequestQueue(CAPACITY, 1);

    @Setup
    public void start() {
        queue = new RequestQueue(CAPACITY, 1, 1, Duration.ZERO, workers, Clock.SYSTEM);
        for (int i = 0; i < workers; i++) {
            Thread worker = new Thread(this::work, "worker-" + i);
            worker.setDaemon(true);
            worker.start();
        }
    }

    private void work() {
        RequestQueue served = queue;
        Taker worker = new Taker(Thread.currentThread(), false, () -> {});
        for (Job job = served.take(worker); job != null; job = served.take(worker)) {
            job.run();
        }
    }

    @Benchmark
    public void round() throws InterruptedException {
        for (int i = 0; i < requests; i++) {
            queue.offerOneOfMany(job);
        }
        queue.wakeChosen();
        ran.acquire(requests);
    }

    @TearDown
    public void end() {
        queue.close();
    }
}
