package io.penstock.work;

import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Waiting jobs in the order of their arrival, each with its time of arrival.
 *
 * <p>The line is a linked list, so that no operation fails half way if memory is exhausted. {@link #add} allocates its entry before it
 * changes the list. The other operations allocate no memory. A list in an array could lose jobs when the array cannot grow.
 *
 * <p>Thread: the holder of the queue's lock.
 */
final class Line {
    private @Nullable Entry first;
    private @Nullable Entry last;

    /** The number of jobs. Changed only by this class. */
    int size;

    private static final class Entry {
        final Job job;
        final long since;

        @Nullable
        Entry next;

        Entry(Job job, long since) {
            this.job = job;
            this.since = since;
        }
    }

    boolean isEmpty() {
        return first == null;
    }

    void add(Job job, long now) {
        insertAfter(last, new Entry(job, now));
    }

    /** Removes and returns the job that has waited longest; null if the line is empty. */
    @Nullable
    Job poll() {
        return first == null ? null : removeAfter(null).job;
    }

    /** As {@link #poll}, but jobs that match are taken only if all match. */
    @Nullable
    Job pollUnless(Predicate<Job> which) {
        Entry before = null;
        for (Entry one = first; one != null; one = one.next) {
            if (!which.test(one.job)) {
                return removeAfter(before).job;
            }
            before = one;
        }
        return poll();
    }

    /** Removes a job. Returns whether the job was in the line. The search begins with the job that has waited longest. */
    boolean remove(Job job) {
        Entry before = null;
        for (Entry one = first; one != null; one = one.next) {
            if (one.job == job) {
                removeAfter(before);
                return true;
            }
            before = one;
        }
        return false;
    }

    /** Moves all jobs that match to another line, which remains in the order of arrival. Returns the number of moved jobs. */
    int moveTo(Line other, Predicate<Job> which) {
        int all = size;
        Entry before = null; // the last entry so far that stays in this line
        Entry older = null; // the last entry of the other line that is not younger than the moved entry
        for (Entry one = first; one != null; one = after(before)) {
            if (!which.test(one.job)) {
                before = one;
                continue;
            }
            for (Entry next = other.after(older); next != null && next.since - one.since <= 0; next = next.next) {
                older = next;
            }
            other.insertAfter(older, removeAfter(before));
            older = one;
        }
        return all - size;
    }

    /** Moves the jobs that have waited longest to the end of another line, until {@code most} are left. Returns the number of moved jobs. */
    int cutTo(int most, Line other) {
        int all = size;
        while (size > most) {
            other.insertAfter(other.last, removeAfter(null));
        }
        return all - size;
    }

    /** The entry after the given one; the first entry if {@code before} is null. */
    private @Nullable Entry after(@Nullable Entry before) {
        return before == null ? first : before.next;
    }

    private void link(@Nullable Entry before, @Nullable Entry next) {
        if (before == null) {
            first = next;
        } else {
            before.next = next;
        }
    }

    private void insertAfter(@Nullable Entry before, Entry added) {
        added.next = after(before);
        link(before, added);
        if (before == last) {
            last = added;
        }
        size++;
    }

    private Entry removeAfter(@Nullable Entry before) {
        Entry removed = Objects.requireNonNull(after(before));
        link(before, removed.next);
        if (removed == last) {
            last = before;
        }
        removed.next = null; // so that it does not keep later entries in memory
        size--;
        return removed;
    }

    /** Whether the first job of this line has waited longer than that of the other. Also true if only the other line is empty. */
    boolean isOlderThan(Line other) {
        Entry mine = first;
        Entry others = other.first;
        return mine != null && (others == null || mine.since - others.since < 0);
    }

    /** Nanoseconds since the arrival of the first job; 0 if the line is empty. */
    long age(long now) {
        Entry oldest = first;
        return oldest == null ? 0 : Math.max(0, now - oldest.since);
    }
}
