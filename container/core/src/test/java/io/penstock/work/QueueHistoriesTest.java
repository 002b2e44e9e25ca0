package io.penstock.work;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.work.RequestQueue.Offered;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Random histories of a queue: requests and continuations of several mappings arrive, with and without a bulkhead, streaming or not; workers
 * start, take jobs and end them. After each step the result is compared with {@link Model}, which searches all jobs by the rules. A failure
 * prints its seed; {@code -Dpenstock.queue.histories=100000} makes more of them.
 */
class QueueHistoriesTest {
    private static final int HISTORIES = Integer.getInteger("penstock.queue.histories", 500);
    private static final int STEPS = 200;
    private static final int MAX_STREAMING = 2;
    private static final int BULKHEAD = 2;
    private static final int BULKHEAD_QUEUED = 3;

    private static final class Task implements Job {
        final @Nullable Mapping mapping;
        final @Nullable Lane lane;
        final boolean streaming;
        final boolean continuation;
        final long since;
        boolean outdated;

        Task(@Nullable Mapping mapping, @Nullable Lane lane, boolean streaming, boolean continuation, long since) {
            this.mapping = mapping;
            this.lane = lane;
            this.streaming = streaming;
            this.continuation = continuation;
            this.since = since;
        }

        @Override
        public void run() {
            throw new AssertionError("the test runs no jobs");
        }

        @Override
        public @Nullable Mapping mapping() {
            return mapping;
        }

        @Override
        public @Nullable Lane lane() {
            return lane;
        }

        @Override
        public boolean isStreaming() {
            return streaming;
        }

        @Override
        public void abandon() {
            throw new AssertionError("abandoned");
        }

        @Override
        public void outdated() {
            outdated = true;
        }
    }

    /** The rules, as a search through all jobs. */
    private static final class Model {
        final int workers;
        final int capacity;
        final List<Task> first = new ArrayList<>();
        final List<Task> waiting = new ArrayList<>();
        final List<Task> running = new ArrayList<>();
        int started;
        int searching;

        Model(int workers, int capacity) {
            this.workers = workers;
            this.capacity = capacity;
        }

        /** The jobs that have their places: they run, or an idle worker takes them at once. */
        private long placed(Lane lane) {
            return running.stream().filter(task -> task.lane == lane).count()
                    + first.stream().filter(task -> task.lane == lane).count();
        }

        private long streams() {
            return running.stream().filter(task -> task.streaming).count()
                    + first.stream().filter(task -> task.streaming).count();
        }

        private long workersOf(Mapping mapping) {
            return running.stream().filter(task -> task.mapping == mapping).count()
                    + first.stream().filter(task -> task.mapping == mapping).count();
        }

        private int left() {
            return workers - started + Math.max(0, searching - first.size());
        }

        boolean mayRun(Task task, int own) {
            if (task.lane != null && placed(task.lane) >= BULKHEAD) {
                return false;
            }
            if (task.streaming && streams() >= MAX_STREAMING) {
                return false;
            }
            return workers < RequestQueue.FAIR_FROM
                    || workersOf(task.mapping) < (long) RequestQueue.FAIR * (left() + own);
        }

        private boolean anyRuns(int own) {
            return waiting.stream().anyMatch(task -> mayRun(task, own));
        }

        Optional<Task> next() {
            if (!first.isEmpty()) {
                return Optional.of(first.remove(0));
            }
            Optional<Task> next = waiting.stream()
                    .filter(task -> mayRun(task, 1) && isHead(task))
                    .min(Comparator.<Task>comparingLong(task -> workersOf(task.mapping))
                            .thenComparingLong(task -> task.since));
            next.ifPresent(waiting::remove);
            return next;
        }

        /** Whether no other job of the same mapping, lane and kind goes before. */
        private boolean isHead(Task task) {
            return waiting.stream()
                    .filter(other -> other.mapping == task.mapping && other.lane == task.lane)
                    .filter(other -> other.streaming == task.streaming)
                    .noneMatch(other -> (other.continuation && !task.continuation)
                            || (other.continuation == task.continuation && other.since < task.since));
        }

        private long usualOf(@Nullable Mapping mapping) {
            return waiting.stream()
                    .filter(task -> isUsual(task) && (mapping == null || task.mapping == mapping))
                    .count();
        }

        private static boolean isUsual(Task task) {
            return task.lane == null && !task.streaming && !task.continuation;
        }

        /** Returns null if the request must be refused. A request that gives way leaves the model. */
        @Nullable
        Offered offer(Task task) {
            if (!anyRuns(0) && first.size() < searching && mayRun(task, 0)) {
                first.add(task);
                return Offered.TAKEN;
            }
            if (task.lane != null) {
                long requests = waiting.stream()
                        .filter(other -> other.lane == task.lane && !other.continuation)
                        .count();
                long room = Math.max(0, BULKHEAD - placed(task.lane));
                if (requests >= BULKHEAD_QUEUED + room) {
                    return null;
                }
            } else if (task.streaming) {
                if (waiting.stream()
                                .filter(other -> other.lane == null && other.streaming)
                                .count()
                        >= capacity) {
                    return null;
                }
            } else if (usualOf(null) >= capacity) {
                return null;
            }
            waiting.add(task);
            return Offered.WAITS;
        }
    }

    /** One history. */
    private static final class History implements RequestQueue.Starter {
        private final Random random;
        private final Lane bulkhead = new Lane(BULKHEAD, BULKHEAD_QUEUED);
        private final List<Mapping> mappings = new ArrayList<>();
        private final Model model;
        private final RequestQueue queue;
        private int toStart;
        private long now;

        History(long seed) {
            random = new Random(seed);
            int workers = List.of(1, 3, 15, 16, 24, 240).get(random.nextInt(6));
            for (int i = 0; i <= random.nextInt(5); i++) {
                mappings.add(new Mapping("/" + i));
            }
            // More than any history needs: the rules of a full queue have tests of their own, with fixed numbers.
            int capacity = STEPS;
            queue = new RequestQueue(capacity, MAX_STREAMING, 1, Duration.ZERO, workers, () -> now);
            queue.startWith(this, workers);
            model = new Model(workers, capacity);
        }

        @Override
        public void startOne() {
            toStart++;
            model.started++;
            model.searching++;
        }

        @Override
        public void grow() {
            // The step startMore() does this.
        }

        private Task task(boolean continuation) {
            now++;
            Lane lane = random.nextInt(4) == 0 ? bulkhead : null;
            boolean streaming = !continuation && random.nextInt(5) == 0;
            return new Task(mappings.get(random.nextInt(mappings.size())), lane, streaming, continuation, now);
        }

        void step() {
            switch (random.nextInt(6)) {
                case 0, 1 -> offer();
                case 2 -> resume();
                case 3 -> startMore();
                case 4 -> begin();
                default -> end();
            }
            assertEquals(
                    model.waiting.stream().filter(task -> task.lane == null).count() + model.first.size(),
                    queue.size());
        }

        private void offer() {
            Task task = task(false);
            Offered expected = model.offer(task);
            Offered offered = queue.offer(task);
            assertEquals(expected == null ? Offered.FULL : expected, offered);
        }

        private void resume() {
            Task task = task(true);
            model.waiting.add(task);
            queue.resume(task);
        }

        private void startMore() {
            int count = queue.starts(random.nextInt(3));
            toStart += count;
            model.started += count;
            model.searching += count;
            assertTrue(model.started <= model.workers);
        }

        /** A worker that was started takes a job, if there is one. Without a job it would sleep. */
        private void begin() {
            if (toStart == 0) {
                return;
            }
            model.searching--;
            Optional<Task> next = model.next();
            if (next.isEmpty()) {
                model.searching++;
                return;
            }
            toStart--;
            model.running.add(next.get());
            assertEquals(next.get(), queue.take(true));
        }

        /** A worker ends its job, and takes the next one if there is one. */
        private void end() {
            if (model.running.isEmpty()) {
                return;
            }
            Task done = model.running.remove(random.nextInt(model.running.size()));
            Optional<Task> next = model.next();
            Job job = queue.takeNext(done);
            if (next.isPresent()) {
                model.running.add(next.get());
                assertEquals(next.get(), job);
            } else {
                // In the test the worker is neither idle nor has it a job from now on.
                assertNull(job);
            }
        }

        /** All jobs end, and every waiting job runs once. */
        void finish() {
            for (int i = 0; i < 10 * STEPS && !(model.running.isEmpty() && toStart == 0); i++) {
                begin();
                end();
                if (model.running.isEmpty() && model.next().isEmpty()) {
                    break;
                }
            }
            for (Mapping mapping : mappings) {
                assertEquals(model.workersOf(mapping), mapping.running());
            }
        }
    }

    @Test
    void randomHistoriesFollowTheRules() {
        long start = Long.getLong("penstock.queue.seed", 1);
        for (long seed = start; seed < start + HISTORIES; seed++) {
            History history = new History(seed);
            try {
                for (int i = 0; i < STEPS; i++) {
                    history.step();
                }
                history.finish();
            } catch (AssertionError e) {
                throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
            }
        }
    }
}
