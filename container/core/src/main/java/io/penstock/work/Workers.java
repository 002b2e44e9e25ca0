package io.penstock.work;

import io.penstock.memory.DetachedThread;
import io.penstock.memory.Rounds;
import io.penstock.time.Saturated;
import io.penstock.work.IdleWorkers.Taker;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import javax.management.JMException;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads that run jobs. Their largest number is independent of the number of clients. A worker is started when a job waits and no
 * worker is idle, and ends after a while without jobs ({@link RequestQueue#take}). Up to a usual number the queue starts workers at once.
 * Beyond this number, workers are started only while the application waits ({@link #help}). So calls that wait, for example for a database,
 * get as many workers as they need, and calls that compute do not. In doubt a worker is started. While more workers do not help, mappings
 * share the started ones, and a mapping that has none gets one all the same.
 *
 * <p>A worker can be renewed: a new thread of the same name replaces the thread of the worker. The thread locals that jobs have left in the
 * former thread are lost with that thread. The workers can also be virtual threads; each runs one job after another.
 *
 * <p>Thread: the thread that starts or stops the server calls {@link #start} and {@link #stop}. Any thread may call {@link #renew}. The
 * thread of the scheduler decides whether more workers help.
 */
public final class Workers {
    private static final Logger LOG = LoggerFactory.getLogger(Workers.class);

    /**
     * The worker of the calling virtual thread. Not used for platform threads, since {@link WorkerThread} has a reference to its worker.
     */
    private static final ThreadLocal<@Nullable Worker> OF_VIRTUAL = new ThreadLocal<>();

    /** The time from the moment when workers are missing to the first decision. Shorter waits do not need more workers. */
    private static final long SOON_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** The time between two decisions. It doubles while more workers do not help, up to {@link #LAST_NANOS}. */
    private static final long NEXT_NANOS = TimeUnit.MILLISECONDS.toNanos(4);

    private static final long LAST_NANOS = TimeUnit.MILLISECONDS.toNanos(64);

    /** A job that has run for a shorter time is quick: the next one of the same kind is expected to be quick, too. */
    public static final long QUICK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** If the processors of the machine are used less than this, more workers help. */
    private static final double IDLE_PROCESSORS = 0.9;

    /** A thread in native code is not expected to wait if its job has run for a shorter time. */
    private static final long YOUNG_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** A call that has computed for so long does not keep back the next calls of its mapping, which may be short. */
    private static final long LONG_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** After a thread could not be created, no other is created for this time. */
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(1);

    private final RequestQueue queue;
    private final @Nullable Scheduler scheduler;
    private final String prefix;
    private final Rounds rounds;
    private final ThreadKind kind;
    private final @Nullable ClassLoader loader = Thread.currentThread().getContextClassLoader();

    /**
     * The started workers. The index of a worker is its place. A renewed worker starts its successor, and then puts the successor at the
     * same place.
     */
    private final AtomicReferenceArray<@Nullable Worker> places;

    /** Starts a thread. */
    private final Consumer<Thread> starting;

    /** Whether a decision about more workers is due. */
    private final AtomicBoolean deciding = new AtomicBoolean();

    /** The time between the last decision and the next one. Written by the scheduler. */
    private volatile long pause = NEXT_NANOS;

    /** The time of the last decision. Written by the scheduler. */
    private volatile long decided = System.nanoTime();

    /** How many decisions in a row have found idle processors. Thread: the scheduler. */
    private int idleProcessors;

    /** Whether the log says that a thread could not be created. */
    private final AtomicBoolean failureLogged = new AtomicBoolean();

    /** Whether a further attempt to create a thread is due. */
    private final AtomicBoolean retrying = new AtomicBoolean();

    /**
     * The activity of one worker at one moment.
     *
     * @param thread the thread of the worker
     * @param job the running job of the worker, or null
     * @param nanos the nanoseconds since the job began; 0 without a job
     * @param waits whether the job waits for another thread or for time, or is in native code, such as a read from a socket
     */
    public record Doing(Thread thread, @Nullable Job job, long nanos, boolean waits) {

        /** The workers with the longest-running jobs come first. */
        public static final Comparator<Doing> LONGEST_FIRST =
                Comparator.comparingLong(Doing::nanos).reversed();
    }

    /**
     * What one mapping needs at one moment.
     *
     * @param longestNanos the time for which its oldest running job has run; 0 if none runs
     * @param oldestNanos the time for which its oldest waiting job has waited; 0 if none waits
     */
    public record Load(Mapping mapping, long longestNanos, long oldestNanos) {}

    /**
     * Workers with platform threads, of which only the usual number is started without {@link #start}.
     *
     * @param count the largest number of workers
     * @param prefix the prefix of the threads' names
     * @param rounds the object that keeps the threads running after unexpected exceptions
     */
    public Workers(RequestQueue queue, int count, String prefix, Rounds rounds) {
        this(queue, count, null, prefix, rounds, ThreadKind.PLATFORM);
    }

    /**
     * @param count the largest number of workers
     * @param scheduler runs the decisions about more workers than the usual number; null if there are no more
     * @param prefix the prefix of the threads' names
     * @param rounds the object that keeps the threads running after unexpected exceptions
     */
    public Workers(
            RequestQueue queue,
            int count,
            @Nullable Scheduler scheduler,
            String prefix,
            Rounds rounds,
            ThreadKind kind) {
        this(queue, count, scheduler, prefix, rounds, kind, Thread::start);
    }

    /** @param starting starts a thread; throws an {@link OutOfMemoryError} if the system has no thread left */
    Workers(
            RequestQueue queue,
            int count,
            @Nullable Scheduler scheduler,
            String prefix,
            Rounds rounds,
            ThreadKind kind,
            Consumer<Thread> starting) {
        this.starting = starting;
        this.kind = kind;
        this.rounds = rounds;
        this.queue = queue;
        this.scheduler = scheduler;
        this.prefix = prefix;
        this.places = new AtomicReferenceArray<>(count);
        queue.change(jobs -> jobs.workers.startWith(count, this::startOne, this::grow));
    }

    /** Whether the calling thread is a worker. */
    public static boolean isCurrent() {
        return current() != null;
    }

    private static @Nullable Worker current() {
        Thread thread = Thread.currentThread();
        if (thread instanceof WorkerThread own) {
            return own.worker;
        }
        return ThreadKind.isVirtual(thread) ? OF_VIRTUAL.get() : null;
    }

    /** Whether the calling thread is a worker that takes its jobs from this queue. */
    static boolean isCurrentOf(RequestQueue queue) {
        Worker worker = current();
        return worker != null && worker.takesFrom(queue);
    }

    /**
     * Whether the thread is a platform thread and a worker of any server in this process. Such a thread does not belong to an application,
     * even while the thread runs code of the application.
     */
    public static boolean isWorker(Thread thread) {
        return thread instanceof WorkerThread;
    }

    /** The nanoseconds since the calling worker began its current job; {@link Long#MAX_VALUE} if the calling thread is not a worker. */
    public static long nanosInJob() {
        Worker worker = current();
        return worker == null ? Long.MAX_VALUE : worker.nanosInJob();
    }

    /**
     * Whether what the running job of the calling worker has written may wait until the worker has taken its next job. If the next job has
     * the same client and the same mapping, it then waits for the end of this job. Otherwise the worker sends it at once ({@link
     * Client#send}). Only a job that has been quick, as the last jobs of its mapping, may leave something. Called at the end of each
     * response, so that a slow job is noticed.
     *
     * @param followed whether further requests wait whose responses could be sent together
     */
    public static boolean leave(Client client, boolean followed) {
        Worker worker = current();
        return worker != null && worker.leaves(client, followed);
    }

    /** The number of workers that run a job; a snapshot. Any thread. */
    public int busy() {
        return busy(thread -> true);
    }

    /** The number of workers that run a job and whose threads match the predicate. Any thread. */
    public int busy(Predicate<Thread> which) {
        int busy = 0;
        for (Worker worker : present()) {
            if (worker.running.get() != null && which.test(worker.thread)) {
                busy++;
            }
        }
        return busy;
    }

    /** The mappings whose jobs run or wait, those with the most workers first; a snapshot. Any thread. */
    public List<Load> loads() {
        Map<Mapping, Long> waiting = queue.ask(WaitingJobs::mappings);
        Map<Mapping, Long> running = new HashMap<>();
        for (Worker worker : present()) {
            Job job = worker.running.get();
            Mapping mapping = job == null ? null : job.mapping();
            if (job != null && mapping != null) {
                running.merge(mapping, queue.nanos() - job.since(worker.since), Math::max);
            }
        }
        Set<Mapping> all = new HashSet<>(running.keySet());
        all.addAll(waiting.keySet());
        return all.stream()
                .map(mapping -> new Load(mapping, running.getOrDefault(mapping, 0L), waiting.getOrDefault(mapping, 0L)))
                .sorted(Comparator.comparingInt((Load load) -> load.mapping().running())
                        .reversed()
                        .thenComparing(load -> load.mapping().name()))
                .toList();
    }

    /** The largest number of workers. */
    public int count() {
        return places.length();
    }

    /** The number of workers that have been started and have not ended; a snapshot. Any thread. */
    public int started() {
        return queue.jobs.workers.started();
    }

    /** The activity of each started worker; a snapshot. Any thread. */
    public List<Doing> doing() {
        List<Worker> present = present();
        Set<Long> inNativeCode = inNativeCode(present.stream()
                .filter(worker -> kind == ThreadKind.PLATFORM
                        && worker.running.get() != null
                        && worker.nanosInJob() >= YOUNG_NANOS)
                .map(worker -> worker.thread)
                .toList());
        List<Doing> all = new ArrayList<>();
        for (Worker worker : present) {
            Job job = worker.running.get();
            Thread thread = worker.thread;
            long nanos = job == null ? 0 : queue.nanos() - job.since(worker.since);
            boolean waits = job != null
                    && (thread.getState() != Thread.State.RUNNABLE || inNativeCode.contains(thread.getId()));
            all.add(new Doing(thread, job, nanos, waits));
        }
        return all;
    }

    private List<Worker> present() {
        List<Worker> present = new ArrayList<>();
        for (int place = 0; place < places.length(); place++) {
            Worker worker = places.get(place);
            if (worker != null) {
                present.add(worker);
            }
        }
        return present;
    }

    /** Starts all workers. */
    public void start() {
        start(count());
    }

    /** Starts workers until {@code first} workers are there. Later, workers are started when jobs wait for them. */
    public void start(int first) {
        startMore(first - queue.jobs.workers.started());
    }

    // ---- more workers

    /**
     * Starts as many workers as can be started, but not more than {@code count}. Each is announced by itself: if one cannot be started, no
     * other counts as searching.
     */
    private void startMore(int count) {
        for (int i = 0; i < count && queue.ask(jobs -> jobs.workers.start(1)) > 0; i++) {
            startOne();
        }
    }

    /**
     * Starts a worker that the queue has announced. Throws no exception, since the caller has possibly taken a job, and must run it. Any
     * thread.
     */
    private void startOne() {
        try {
            startAnnounced();
        } catch (Throwable t) {
            rounds.handle("A worker could not be started", t);
        }
    }

    private void startAnnounced() {
        Worker worker = null;
        boolean started = false;
        OutOfMemoryError failure = null;
        try {
            worker = newWorker();
            starting.accept(worker.thread);
            started = true;
        } catch (OutOfMemoryError e) {
            failure = e;
        } finally {
            if (!started) {
                if (worker != null) {
                    places.set(worker.place, null);
                }
                queue.change(jobs -> jobs.workers.notStarted());
                tryAgainLater();
            }
        }
        if (failure != null) {
            log(failure);
        }
    }

    private void tryAgainLater() {
        if (scheduler == null || !retrying.compareAndSet(false, true)) {
            return;
        }
        boolean due = false;
        try {
            scheduler.after(AFTER_FAILURE, () -> {
                retrying.set(false);
                queue.jobs.workers.mayStart();
                queue.wakeWorker();
            });
            due = true;
        } finally {
            if (!due) {
                // Without memory for the task, the next request leads to the next attempt.
                retrying.set(false);
                queue.jobs.workers.mayStart();
            }
        }
    }

    /** A worker at the first free place. Only this method fills a place that is free. */
    private synchronized Worker newWorker() {
        int place = 0;
        while (places.get(place) != null) {
            place++;
        }
        Worker worker = new Worker(place, true);
        places.set(place, worker);
        return worker;
    }

    private void log(OutOfMemoryError e) {
        if (failureLogged.compareAndSet(false, true)) {
            LOG.warn(
                    "No further thread can be created: {} of {} workers serve all requests, and the server tries again"
                            + " every {} s. Allow the process more threads (ulimit -u, pids.max of its container), or"
                            + " set fewer workers: {}",
                    queue.jobs.workers.started(),
                    count(),
                    AFTER_FAILURE.toSeconds(),
                    e.toString());
        }
    }

    /**
     * More jobs wait than the usual number of workers can take. Decides soon whether more workers help. Throws no exception, as {@link
     * #startOne}. Any thread.
     */
    private void grow() {
        if (!deciding.get() && deciding.compareAndSet(false, true)) {
            try {
                decideAfter(Math.max(SOON_NANOS, decided + pause - System.nanoTime()));
            } catch (Throwable t) {
                rounds.handle("The decision about more workers could not be planned", t);
            }
        }
    }

    private void decideAfter(long nanos) {
        boolean due = false;
        try {
            if (scheduler != null) {
                scheduler.after(Duration.ofNanos(nanos), this::decideAgain);
            }
            due = true;
        } finally {
            if (!due) {
                // Without memory for the task, the next job leads to the next decision.
                endDecisions();
            }
        }
    }

    private void endDecisions() {
        try {
            queue.change(jobs -> jobs.workers.growthRefused = false);
        } finally {
            deciding.set(false);
        }
    }

    private void decideAgain() {
        boolean goesOn = false;
        try {
            goesOn = decide();
        } finally {
            if (!goesOn) {
                endDecisions();
            }
        }
        if (goesOn) {
            decideAfter(pause);
        } else if (queue.ask(WaitingJobs::lacking) > 0) {
            // Jobs have been queued since the look, and grow() may have done nothing.
            grow();
        }
    }

    /**
     * Starts workers if jobs wait for them and if they help: at most as many as there are. If they do not help, starts one if a mapping has
     * none, so that calls that compute do not stop others. Returns whether another decision is needed soon. Thread: the scheduler.
     */
    private boolean decide() {
        decided = System.nanoTime();
        boolean lacking = queue.ask(WaitingJobs::lacking) > 0;
        if (!lacking && !queue.ask(jobs -> jobs.workers.staysRefused())) {
            return false;
        }
        Map<Mapping, Integer> waits = new HashMap<>();
        boolean helps = help(waits) && lacking;
        queue.change(jobs -> jobs.looked(helps, waits));
        if (helps) {
            startMore(Math.min(queue.ask(WaitingJobs::lacking), queue.jobs.workers.started()));
        } else if (queue.ask(WaitingJobs::isStarved)) {
            startMore(1);
        }
        pause = helps ? NEXT_NANOS : Math.min(2 * pause, LAST_NANOS);
        return true;
    }

    /**
     * Whether more workers help. They do if nearly all workers wait for other threads or for time. They also do if nearly all workers wait
     * there or are in native code, such as a read from a socket, and the processors of the machine are not busy.
     *
     * @param waits gets the number of such workers, and of those whose job is long, for each mapping that has a running job, if more
     *     workers do not help
     */
    private boolean help(Map<Mapping, Integer> waits) {
        Map<Worker, Job> old = new HashMap<>();
        int awake = 0;
        for (Worker worker : present()) {
            if (worker.taker.isAsleep()) {
                continue; // It is kept for others.
            }
            awake++;
            Job job = worker.running.get();
            if (job == null) {
                continue;
            }
            boolean waiting = worker.thread.getState() != Thread.State.RUNNABLE;
            count(waits, job, waiting || worker.nanosInJob() >= LONG_NANOS);
            if (waiting) {
                awake--;
            } else if (worker.nanosInJob() >= YOUNG_NANOS) {
                old.put(worker, job);
            }
        }
        if (awake < IdleWorkers.USEFUL) {
            return true;
        }
        if (kind == ThreadKind.PLATFORM) {
            Set<Long> inNativeCode = inNativeCode(
                    old.keySet().stream().map(worker -> worker.thread).toList());
            awake -= inNativeCode.size();
            old.forEach((worker, job) -> count(
                    waits, job, worker.nanosInJob() < LONG_NANOS && inNativeCode.contains(worker.thread.getId())));
        }
        boolean mayWait = awake < IdleWorkers.USEFUL;
        idleProcessors = mayWait && processorsAreIdle() ? idleProcessors + 1 : 0;
        // One look could fall into a short pause of the load.
        return idleProcessors > 1;
    }

    private static void count(Map<Mapping, Integer> waits, Job job, boolean waiting) {
        Mapping mapping = job.mapping();
        if (mapping != null) {
            waits.merge(mapping, waiting ? 1 : 0, Integer::sum);
        }
    }

    /** The ids of those platform threads that are in native code, or wait. */
    private static Set<Long> inNativeCode(List<Thread> threads) {
        long[] ids = threads.stream().mapToLong(Thread::getId).toArray();
        Set<Long> found = new HashSet<>();
        for (ThreadInfo thread : ManagementFactory.getThreadMXBean().getThreadInfo(ids)) {
            if (thread != null && (thread.isInNative() || thread.getThreadState() != Thread.State.RUNNABLE)) {
                found.add(thread.getThreadId());
            }
        }
        return found;
    }

    /** Whether the processors of the machine are not fully used; also true if this is unknown. */
    private static boolean processorsAreIdle() {
        try {
            Object load = ManagementFactory.getPlatformMBeanServer()
                    .getAttribute(new ObjectName(ManagementFactory.OPERATING_SYSTEM_MXBEAN_NAME), "CpuLoad");
            return !(load instanceof Double used) || !(used >= IDLE_PROCESSORS);
        } catch (JMException e) {
            return true; // This Java does not tell.
        }
    }

    /**
     * Replaces the threads of all workers by new threads, one after another. Each worker is replaced as soon as it is idle. Returns at
     * once.
     */
    public void renew() {
        queue.change(jobs -> jobs.workers.renew());
    }

    /**
     * Waits at most {@code patience} for the end of queued and running jobs. Then abandons the queued jobs and interrupts the workers.
     *
     * @throws InterruptedException if the calling thread was interrupted. The interrupt ends the wait, and the workers are stopped in this
     *     case, too
     */
    public void stop(Duration patience) throws InterruptedException {
        try {
            finish(patience);
        } finally {
            // The queued jobs are removed before the interrupts. Otherwise interrupted workers could take queued jobs.
            queue.abandonRest();
            for (Worker worker : present()) {
                // Only busy workers are logged: an idle worker ends at once.
                if (worker.running.get() != null) {
                    LOG.warn("{} is still busy; it is interrupted", worker.thread.getName());
                }
                if (worker.thread.isAlive()) {
                    worker.thread.interrupt();
                }
            }
            try {
                join(System.nanoTime() + Saturated.nanos(Duration.ofSeconds(1)));
            } finally {
                queue.abandonRest();
            }
        }
    }

    /** Closes the queue, so that further jobs are refused. Then waits at most {@code patience} for the end of queued and running jobs. */
    public void finish(Duration patience) throws InterruptedException {
        queue.close();
        join(System.nanoTime() + Saturated.nanos(patience));
    }

    /** Waits for the end of all workers, including workers that replace other workers during the wait. */
    private void join(long deadline) throws InterruptedException {
        long left = deadline - System.nanoTime();
        for (Thread next = anyAlive(); next != null && left > 0; next = anyAlive()) {
            next.join(Math.max(1, left / 1_000_000));
            left = deadline - System.nanoTime();
        }
    }

    private @Nullable Thread anyAlive() {
        for (Worker worker : present()) {
            if (worker.thread.isAlive()) {
                return worker.thread;
            }
        }
        return null;
    }

    /** The platform thread of a worker. {@link #isWorker} recognizes workers by this class. The thread does not inherit thread locals. */
    private static final class WorkerThread extends Thread {
        private final Worker worker;

        WorkerThread(Worker worker, String name) {
            super(null, worker, name, 0, false);
            this.worker = worker;
            setDaemon(false);
        }
    }

    /** A worker and its thread. Other threads can read the running job and its start time. */
    private final class Worker implements Runnable {
        private final int place;
        private final String name;
        final Thread thread;
        private final Taker taker;

        /** Whether the worker must not take more jobs. Used by the thread of the worker only. */
        private boolean done;

        // Made with the worker: its thread must not end for lack of memory, since the queue counts on it.
        private final BooleanSupplier resumed = this::resumed;
        private final Runnable takeOne = this::takeOne;

        // The mapping of the job that has left something to be sent. Used by the thread of the worker only.
        private @Nullable Mapping leftBy;

        // Only the worker writes these two fields: first `since`, then `running`. There is no full fence, so another
        // thread can see the start time of the next job together with the current job.
        long since;
        final AtomicReference<@Nullable Job> running = new AtomicReference<>();

        /** @param announced whether the queue has announced this worker */
        Worker(int place, boolean announced) {
            this.place = place;
            name = prefix + "worker-" + (place + 1);
            thread = kind == ThreadKind.VIRTUAL
                    ? ThreadKind.unstarted(name, this)
                    : DetachedThread.made(() -> new WorkerThread(this, name));
            thread.setContextClassLoader(loader);
            taker = new Taker(thread, announced, this::sendLeft);
        }

        @Override
        public void run() {
            worksOn();
            while (queue.jobs.workers.isLeaving(taker)) {
                if (handedOver()) {
                    return;
                }
                worksOn();
            }
            if (!queue.jobs.closed) {
                places.set(place, null);
                // A job may have been queued since the worker has decided to end.
                queue.change(jobs -> jobs.workers.ended());
            }
        }

        boolean takesFrom(RequestQueue other) {
            return queue == other;
        }

        long nanosInJob() {
            return queue.nanos() - since;
        }

        boolean leaves(Client client, boolean followed) {
            Job job = running.get();
            Mapping mapping = isOf(job, client) ? Objects.requireNonNull(job).mapping() : null;
            if (mapping == null) {
                return false;
            }
            mapping.answered(nanosInJob() < QUICK_NANOS);
            if (!followed || !mapping.isQuick()) {
                return false;
            }
            taker.left = client;
            leftBy = mapping;
            return true;
        }

        private boolean isOf(@Nullable Job job, Client client) {
            return job instanceof ClientJob one && one.ofClient() == client;
        }

        /** Sends what was left, unless the worker has taken a job that sends it. */
        private void sendLeft() {
            Client client = Objects.requireNonNull(taker.left);
            Job next = taker.job;
            if (next != null && next.mapping() == leftBy && isOf(next, client)) {
                return;
            }
            taker.left = null;
            leftBy = null;
            try {
                client.send();
            } catch (Throwable t) {
                rounds.handle("A response could not be sent; the worker continues", t);
            }
        }

        private void worksOn() {
            done = false;
            rounds.repeat("A worker's round failed; the worker continues", resumed, takeOne);
        }

        private boolean resumed() {
            return !done;
        }

        /**
         * Takes a job and runs the job. The job is a local variable of this method, so a waiting worker keeps no reference to its previous
         * job.
         */
        private void takeOne() {
            if (kind == ThreadKind.VIRTUAL && OF_VIRTUAL.get() == null) {
                OF_VIRTUAL.set(this);
            }
            Job job = queue.take(taker);
            if (job == null) {
                done = true;
            } else {
                run(job);
            }
        }

        private void run(Job job) {
            since = queue.nanos();
            running.setRelease(job);
            try {
                job.run();
            } catch (Throwable t) {
                // Jobs handle their own failures, so this exception is a defect of the server. The worker continues.
                rounds.handle("A job failed unexpectedly; the worker continues", t);
            } finally {
                running.setRelease(null);
                // Clear the interrupt status: an interrupt by an application must not affect the next request.
                Thread.interrupted();
                // An application may have changed the name, which lines of the log contain.
                if (!name.equals(thread.getName())) {
                    thread.setName(name);
                }
            }
        }

        /** Replaces this thread by a new thread. Returns whether the new thread could be created. */
        private boolean handedOver() {
            try {
                Worker successor = new Worker(place, false);
                places.set(place, successor);
                starting.accept(successor.thread);
                return true;
            } catch (Throwable t) {
                // No thread can be created now, so this worker continues.
                places.set(place, this);
                notReplaced(t);
                return false;
            } finally {
                queue.change(jobs -> jobs.workers.tookOver());
            }
        }

        private void notReplaced(Throwable why) {
            try {
                LOG.warn("{} is not replaced by a new thread: {}", thread.getName(), why.toString());
            } catch (Throwable t) {
                rounds.handle("A worker is not replaced by a new thread", t);
            }
        }
    }
}
