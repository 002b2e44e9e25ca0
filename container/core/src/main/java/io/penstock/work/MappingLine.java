package io.penstock.work;

import org.jspecify.annotations.Nullable;

/**
 * The waiting jobs of one {@link Mapping} in one {@link Lane}: continuations first, then requests, each in the order of their arrival.
 *
 * <p>Thread: the holder of the queue's lock.
 */
final class MappingLine {
    final Mapping mapping;
    final Lane lane;

    /** Whether the requests also need a place in the lane of streaming requests. */
    final boolean streams;

    final Line continuations = new Line();
    final Line requests = new Line();

    /** The next line of the same mapping. */
    final @Nullable MappingLine sibling;

    // The line is in a list of the queue while a job waits in it. The links are fields, so that no change needs memory.
    boolean listed;

    @Nullable
    MappingLine before;

    @Nullable
    MappingLine after;

    MappingLine(Mapping mapping, Lane lane, boolean streams, @Nullable MappingLine sibling) {
        this.mapping = mapping;
        this.lane = lane;
        this.streams = streams;
        this.sibling = sibling;
    }

    int size() {
        return continuations.size() + requests.size();
    }

    /** The line whose first job runs next. */
    Line first() {
        return continuations.isEmpty() ? requests : continuations;
    }
}
