package io.penstock.work;

import static io.penstock.work.PlayedWorker.start;
import static io.penstock.work.PlayedWorker.take;
import static io.penstock.work.PlayedWorker.takeFirst;
import static io.penstock.work.PlayedWorker.takeNext;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.work.RequestQueue.Offered;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Random histories of a queue: requests and continuations of several mappings arrive, with and without a bulkhead, streaming or not; workers
 * start and end, take jobs and end them. After each step the result is compared with {@link Model}, which searches all jobs by the rules. A failure
 * prints its seed; {@code -Dpenstock.queue.histories=100000} makes more of them.
 */
class QueueHistoriesTest {
    private static final int HISTORIES = Integer.getInteger("penstock.queue.histories", 500);
    private static final int STEPS = 200;
    private static final int MAX_STREAMING = 2;
    private static final int BULKHEAD = 2;
    private static final int BULKHEAD_QUEUED = 3;

    /** What happens in the histories. The test checks that each kind happens. */
    private enum Event {
        TAKEN,
        WAITS,
        REFUSED,
        DROPPED,
        CONTINUATION,
        CONTINUATION_GAVE_WAY,
        GAVE_WAY,
        WITHDRAWN,
        NOT_WITHDRAWN,
        STREAM_BEGAN,
        NO_STREAM,
        STREAM_ENDED,
        STARTED_ON_DEMAND,
        STARTED,
        NOT_STARTED,
        GROWTH_REFUSED,
        GROWTH_ALLOWED,
        BULKHEAD_JOB_BEGAN,
        ENDED_WITH_NEXT,
        ENDED,
        WORKER_ENDED,
        ALL_WORKERS_STARTED
    }

    private static final class Task extends QueuedJob {
        final boolean continuation;
        final long since;

        /** Whether it is a continuation that has given way. */
        boolean later;

        Task(Mapping mapping, @Nullable Lane lane, boolean streaming, boolean continuation, long since) {
            super(mapping, lane, streaming);
            this.continuation = continuation;
            this.since = since;
        }
    }

    /** The waiting jobs of one mapping that need the same places. */
    private record Waits(Mapping mapping, @Nullable Lane lane, boolean streaming) {
        boolean has(Task task) {
            return task.mapping == mapping && task.lane == lane && task.streaming == streaming;
        }
    }

    /** The rules, as a search through all jobs. */
    private static final class Model {
        final int workers;
        final int capacity;
        final Lane bulkhead;
        final List<Task> first = new ArrayList<>();
        final List<Task> waiting = new ArrayList<>();
        final List<Waits> lines = new ArrayList<>();
        final List<Task> running = new ArrayList<>();
        int started;
        int searching;
        int waitsForClients;
        boolean withoutThreads;
        boolean growthRefused;

        /** How many workers of a mapping waited when growth was refused. */
        Map<Mapping, Integer> waited = Map.of();

        @Nullable
        Task dropped;

        Model(int workers, int capacity, Lane bulkhead) {
            this.workers = workers;
            this.capacity = capacity;
            this.bulkhead = bulkhead;
        }

        /** The jobs that have their places: they run, or an idle worker takes them at once. */
        private long placed(Lane lane) {
            return running.stream().filter(task -> task.lane == lane).count()
                    + first.stream().filter(task -> task.lane == lane).count();
        }

        private long streams() {
            return waitsForClients
                    + running.stream().filter(task -> task.streaming).count()
                    + first.stream().filter(task -> task.streaming).count();
        }

        private long workersOf(Mapping mapping) {
            return running.stream().filter(task -> task.mapping == mapping).count()
                    + first.stream().filter(task -> task.mapping == mapping).count();
        }

        /** How many workers there can be now. */
        private int possible() {
            return growthRefused ? started : workers;
        }

        private int left() {
            return possible() - started + Math.max(0, searching - first.size());
        }

        boolean mayRun(Task task, int own) {
            if (task.lane != null && placed(task.lane) >= BULKHEAD) {
                return false;
            }
            if (task.streaming && streams() >= MAX_STREAMING) {
                return false;
            }
            return mayTakeOne(task.mapping, workersOf(task.mapping), left() + own);
        }

        /** Whether a mapping with {@code running} workers may take one of those that are left. */
        private boolean mayTakeOne(Mapping mapping, long running, long left) {
            long times = left > possible() / WaitingJobs.LAST ? WaitingJobs.FAIR : 1;
            return possible() < WaitingJobs.FAIR_FROM || (running < times * left && running < mostOf(mapping));
        }

        private long mostOf(Mapping mapping) {
            Integer waits = possible() < workers ? waited.get(mapping) : null;
            return waits == null ? Long.MAX_VALUE : waits + IdleWorkers.USEFUL;
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
            List<Task> line = waiting.stream()
                    .filter(other -> other.mapping == task.mapping && other.lane == task.lane)
                    .filter(other -> other.streaming == task.streaming)
                    .toList();
            Optional<Task> usual = line.stream()
                    .filter(other -> !other.later)
                    .min(Comparator.<Task>comparingInt(other -> other.continuation ? 0 : 1)
                            .thenComparingLong(other -> other.since));
            Optional<Task> later =
                    line.stream().filter(other -> other.later).min(Comparator.comparingLong(other -> other.since));
            boolean isLater = later.isPresent() && (usual.isEmpty() || later.get().since < usual.get().since);
            return task == (isLater ? later : usual).orElseThrow();
        }

        private long usualOf(@Nullable Mapping mapping) {
            return waiting.stream()
                    .filter(task -> isUsual(task) && (mapping == null || task.mapping == mapping))
                    .count();
        }

        private static boolean isUsual(Task task) {
            return task.lane == null && !task.streaming && !task.continuation;
        }

        /** The lines in which jobs wait, the latest first. Must be called after each change. */
        void count() {
            lines.removeIf(line -> waiting.stream().noneMatch(line::has));
            for (Task task : waiting) {
                if (lines.stream().noneMatch(line -> line.has(task))) {
                    lines.add(0, new Waits(task.mapping, task.lane, task.streaming));
                }
            }
        }

        /** How many of the waiting jobs could run if there were enough workers. */
        private long runnable() {
            int own = left() == 0 ? 1 : 0;
            Map<Mapping, Long> ofMapping = new HashMap<>();
            long ofBulkhead = Math.max(0, BULKHEAD - placed(bulkhead));
            long ofStreams = Math.max(0, MAX_STREAMING - streams());
            long all = first.size();
            for (Waits line : lines) {
                long ofThis = ofMapping.computeIfAbsent(line.mapping, mapping -> mayTake(mapping, own));
                long may = Math.min(size(line), ofThis);
                may = line.lane == null ? may : Math.min(may, ofBulkhead);
                may = line.streaming ? Math.min(may, ofStreams) : may;
                ofMapping.put(line.mapping, ofThis - may);
                ofBulkhead -= line.lane == null ? 0 : may;
                ofStreams -= line.streaming ? may : 0;
                all += may;
            }
            return all;
        }

        private long size(Waits line) {
            return waiting.stream().filter(line::has).count();
        }

        /** How many more workers the mapping may take, one after the other. */
        private long mayTake(Mapping mapping, int own) {
            long more = 0;
            while (more < STEPS && mayTakeOne(mapping, workersOf(mapping) + more, left() + own - more)) {
                more++;
            }
            return more;
        }

        /** Whether a worker that is idle or can be started will take this request, which is in no bulkhead. */
        private boolean getsWorker(Task task) {
            int room = searching + (withoutThreads || growthRefused ? 0 : workers - started);
            long waits = size(new Waits(task.mapping, null, task.streaming));
            return runnable() < room
                    && waits < mayTake(task.mapping, 0)
                    && (!task.streaming || waitingStreams() < MAX_STREAMING - streams());
        }

        private long waitingStreams() {
            return waiting.stream()
                    .filter(task -> task.lane == null && task.streaming)
                    .count();
        }

        /** Returns null if the request must be refused. May drop another request. */
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
                if (requests >= BULKHEAD_QUEUED + Math.max(0, BULKHEAD - placed(task.lane))) {
                    return null;
                }
            } else if (task.streaming) {
                if (waitingStreams() >= capacity && !getsWorker(task)) {
                    return null;
                }
            } else if (usualOf(null) >= capacity && !getsWorker(task)) {
                Waits longest = longest(usualOf(task.mapping) + 1);
                if (longest == null) {
                    return null;
                }
                drop(longest);
            }
            waiting.add(task);
            return Offered.WAITS;
        }

        private @Nullable Waits longest(long than) {
            Waits longest = null;
            long most = than;
            for (Waits line : lines) {
                if (line.lane == null && !line.streaming && usualOf(line.mapping) > most) {
                    most = usualOf(line.mapping);
                    longest = line;
                }
            }
            return longest;
        }

        private void drop(Waits line) {
            dropped = waiting.stream()
                    .filter(task -> line.has(task) && !task.continuation)
                    .min(Comparator.comparingLong(task -> task.since))
                    .orElseThrow();
            waiting.remove(dropped);
        }
    }

    /** One history. */
    private static final class History {
        private final Random random;
        private final Set<Event> events;
        private final Lane bulkhead = new Lane(BULKHEAD, BULKHEAD_QUEUED);
        private final List<Mapping> mappings = new ArrayList<>();
        private final Model model;
        private final RequestQueue queue;
        private int toStart;

        /** The workers that have no job and do not look for one. */
        private int without;

        /** The workers that had no job for long. */
        private int ending;

        private long now;

        History(long seed, Set<Event> events) {
            this.random = new Random(seed);
            this.events = events;
            int workers = List.of(1, 3, 15, 16, 24, 70, 240).get(random.nextInt(7));
            for (int i = 0; i <= random.nextInt(5); i++) {
                mappings.add(new Mapping("/" + i));
            }
            int capacity = List.of(2, 6, STEPS).get(random.nextInt(3));
            queue = new RequestQueue(
                    new WaitingJobs(capacity, MAX_STREAMING, 1, Duration.ZERO, workers, () -> now), Duration.ZERO);
            // Growth beyond the usual number is the step startMore().
            queue.change(jobs -> jobs.workers.startWith(workers, this::startOne, () -> {}));
            model = new Model(workers, capacity, bulkhead);
        }

        private void startOne() {
            assertFalse(model.withoutThreads);
            events.add(Event.STARTED_ON_DEMAND);
            announced(1);
        }

        private void announced(int count) {
            toStart += count;
            model.started += count;
            model.searching += count;
            assertTrue(model.started <= model.workers);
            if (model.started == model.workers) {
                events.add(Event.ALL_WORKERS_STARTED);
            }
        }

        private Task task(boolean continuation) {
            now++;
            Lane lane = random.nextInt(4) == 0 ? bulkhead : null;
            boolean streaming = !continuation && random.nextInt(5) == 0;
            return new Task(anyMapping(), lane, streaming, continuation, now);
        }

        void step() {
            switch (random.nextInt(19)) {
                case 0, 1, 2, 3 -> offer();
                case 4, 5 -> resume();
                case 6 -> giveWay();
                case 7 -> withdraw();
                case 8 -> stream();
                case 9, 10 -> startMore();
                case 11 -> failToStart();
                case 12, 13 -> begin();
                case 14 -> shrink();
                case 15 -> refuseOrAllowGrowth();
                default -> end();
            }
            model.count();
            assertEquals(
                    model.waiting.stream().filter(task -> task.lane == null).count() + model.first.size(),
                    queue.size());
            assertEquals(model.started, queue.jobs.workers.started());
            assertEquals(model.placed(bulkhead), bulkhead.running());
            assertEquals(model.streams(), queue.streaming());
        }

        private void offer() {
            Task task = task(false);
            model.dropped = null;
            Offered expected = model.offer(task);
            model.count();
            Offered offered = queue.offer(task);
            assertEquals(expected == null ? Offered.FULL : expected, offered);
            if (model.dropped != null) {
                assertTrue(model.dropped.outdated);
                events.add(Event.DROPPED);
            }
            events.add(
                    switch (offered) {
                        case TAKEN -> Event.TAKEN;
                        case WAITS -> Event.WAITS;
                        case FULL, OVERLOADED -> Event.REFUSED;
                    });
        }

        /** A turn of an asynchronous request begins, or gives way. */
        private void resume() {
            Task task = task(true);
            model.waiting.add(task);
            task.later = random.nextInt(3) == 0;
            if (task.later) {
                assertTrue(queue.resumeLater(task));
            } else {
                queue.resume(task);
            }
            events.add(task.later ? Event.CONTINUATION_GAVE_WAY : Event.CONTINUATION);
        }

        private void giveWay() {
            now++;
            Task task = new Task(anyMapping(), null, false, false, now);
            model.waiting.add(task);
            queue.giveWay(task);
            events.add(Event.GAVE_WAY);
        }

        private void withdraw() {
            List<Task> requests = Stream.of(model.waiting, model.running, model.first)
                    .flatMap(List::stream)
                    .filter(task -> !task.continuation)
                    .toList();
            if (!requests.isEmpty()) {
                Task task = requests.get(random.nextInt(requests.size()));
                boolean waited = model.waiting.remove(task);
                assertEquals(waited, queue.withdraw(task));
                events.add(waited ? Event.WITHDRAWN : Event.NOT_WITHDRAWN);
            }
        }

        /** A running job begins or ends to wait for its client. */
        private void stream() {
            if (model.waitsForClients > 0 && random.nextBoolean()) {
                model.waitsForClients--;
                queue.endStreaming();
                events.add(Event.STREAM_ENDED);
                return;
            }
            boolean room = model.streams() < MAX_STREAMING;
            model.waitsForClients += room ? 1 : 0;
            assertEquals(room, queue.beginStreaming());
            events.add(room ? Event.STREAM_BEGAN : Event.NO_STREAM);
        }

        private void startMore() {
            if (model.withoutThreads) {
                model.withoutThreads = false;
                queue.change(jobs -> jobs.workers.mayStart());
            }
            announced(start(queue, random.nextInt(3)));
            events.add(Event.STARTED);
        }

        /** More workers than the started ones do not help, or help again. */
        private void refuseOrAllowGrowth() {
            boolean refused = !model.growthRefused;
            model.growthRefused = refused;
            Map<Mapping, Integer> waited = new HashMap<>();
            for (Mapping mapping : mappings) {
                if (random.nextBoolean()) {
                    waited.put(mapping, random.nextInt(4));
                }
            }
            model.waited = waited;
            queue.change(jobs -> jobs.looked(!refused, waited));
            events.add(refused ? Event.GROWTH_REFUSED : Event.GROWTH_ALLOWED);
        }

        /** A worker that was announced cannot be started. */
        private void failToStart() {
            if (toStart > 0) {
                toStart--;
                model.started--;
                model.searching--;
                model.withoutThreads = true;
                queue.change(jobs -> jobs.workers.notStarted());
                assertEquals(0, start(queue, 1));
                events.add(Event.NOT_STARTED);
            }
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
            assertSame(next.get(), takeFirst(queue));
            if (next.get().lane != null) {
                events.add(Event.BULKHEAD_JOB_BEGAN);
            }
        }

        /** A worker ends its job, and takes the next one if there is one. */
        private void end() {
            if (model.running.isEmpty()) {
                return;
            }
            Task done = model.running.remove(random.nextInt(model.running.size()));
            Optional<Task> next = model.next();
            Job job = takeNext(queue, done);
            if (next.isPresent()) {
                model.running.add(next.get());
                assertSame(next.get(), job);
                events.add(Event.ENDED_WITH_NEXT);
            } else {
                assertNull(job);
                without++;
                events.add(Event.ENDED);
            }
        }

        /** A worker without a job finds none for long, or such a worker has ended. */
        private void shrink() {
            if (ending > 0 && random.nextBoolean()) {
                ending--;
                model.started--;
                queue.change(jobs -> jobs.workers.ended());
                events.add(Event.WORKER_ENDED);
            } else if (without > 0
                    && model.started - ending > IdleWorkers.MIN
                    && !model.anyRuns(1)
                    && model.first.isEmpty()) {
                without--;
                ending++;
                assertNull(take(queue));
            }
        }

        private Mapping anyMapping() {
            return mappings.get(random.nextInt(mappings.size()));
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
        Set<Event> events = EnumSet.noneOf(Event.class);
        long start = Long.getLong("penstock.queue.seed", 1);
        for (long seed = start; seed < start + HISTORIES; seed++) {
            History history = new History(seed, events);
            try {
                for (int i = 0; i < STEPS; i++) {
                    history.step();
                }
                history.finish();
            } catch (AssertionError e) {
                throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
            }
        }
        assertEquals(EnumSet.allOf(Event.class), events);
    }
}
