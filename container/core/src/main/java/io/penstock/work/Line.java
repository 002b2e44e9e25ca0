package io.penstock.work;

import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Waiting jobs in the order of their arrival, each with its time of arrival.
 *
 * <p>It is a linked list, so that no operation fails half way. {@link #add} needs memory for one entry, and allocates it before anything
 * changes. The other operations need none. An array could lose jobs when it cannot grow.
 *
 * <p>Thread: the holder of the queue's lock.
 */
final class Line {
    private @Nullable Waiting first;
    private @Nullable Waiting last;
    private int size;

    private static final class Waiting {
        final Job job;
        final long since;

        @Nullable
        Waiting next;

        Waiting(Job job, long since) {
            this.job = job;
            this.since = since;
        }
    }

    int size() {
        return size;
    }

    boolean isEmpty() {
        return first == null;
    }

    void add(Job job, long now) {
        insert(last, new Waiting(job, now));
    }

    /** Removes the job that has waited longest; null if none waits. */
    @Nullable
    Job poll() {
        Waiting oldest = first;
        if (oldest == null) {
            return null;
        }
        removeAfter(null, oldest);
        return oldest.job;
    }

    /** Removes a job; returns whether it was in the line. Fast for jobs that have waited long. */
    boolean remove(Job job) {
        Waiting before = null;
        for (Waiting one = first; one != null; one = one.next) {
            if (one.job == job) {
                removeAfter(before, one);
                return true;
            }
            before = one;
        }
        return false;
    }

    /** Moves jobs to another line, and keeps the order of arrival there. */
    void moveTo(Line other, Predicate<Job> which) {
        Waiting before = null; // the last job that stays in this line
        Waiting place = null; // the last job of the other line that came earlier
        Waiting one = first;
        while (one != null) {
            Waiting next = one.next;
            if (which.test(one.job)) {
                removeAfter(before, one);
                place = other.lastBefore(one.since, place);
                other.insert(place, one);
                place = one;
            } else {
                before = one;
            }
            one = next;
        }
    }

    /** Removes the jobs that have waited longest, until {@code most} are left. Returns the removed jobs. */
    Line cutTo(int most) {
        Line cut = new Line();
        for (Waiting oldest = first; oldest != null && size > most; oldest = first) {
            removeAfter(null, oldest);
            cut.insert(cut.last, oldest);
        }
        return cut;
    }

    /** The last entry that came at the time {@code since} or earlier; the search begins behind {@code from}. Null if there is none. */
    private @Nullable Waiting lastBefore(long since, @Nullable Waiting from) {
        Waiting found = from;
        for (Waiting next = from == null ? first : from.next; next != null && next.since - since <= 0; ) {
            found = next;
            next = next.next;
        }
        return found;
    }

    /** @param before the entry behind which the new entry goes; null for the first place */
    private void insert(@Nullable Waiting before, Waiting added) {
        if (before == null) {
            added.next = first;
            first = added;
        } else {
            added.next = before.next;
            before.next = added;
        }
        if (before == last) {
            last = added;
        }
        size++;
    }

    /** @param before the entry before it; null for the first one */
    private void removeAfter(@Nullable Waiting before, Waiting removed) {
        if (before == null) {
            first = removed.next;
        } else {
            before.next = removed.next;
        }
        if (removed == last) {
            last = before;
        }
        removed.next = null; // so that the removed entry does not keep later entries in memory
        size--;
    }

    /** Whether the first job of this line has waited longer than the first job of the other line, or none waits there. */
    boolean isOlderThan(Line other) {
        Waiting mine = first;
        Waiting others = other.first;
        return mine != null && (others == null || mine.since - others.since < 0);
    }

    /** Nanoseconds for which the first job has waited; 0 if none waits. */
    long age(long now) {
        Waiting oldest = first;
        return oldest == null ? 0 : Math.max(0, now - oldest.since);
    }
}
