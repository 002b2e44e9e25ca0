package io.penstock.sample.guestbook;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** The last entries of all guests, the newest entry first. Thread: any, because requests run on many threads. */
public final class GuestBook {
    /** The name of the servlet context's attribute that contains the only guest book of the application. */
    public static final String ATTRIBUTE = GuestBook.class.getName();

    private static final int MAX_ENTRIES = 50;

    private final Deque<Entry> entries = new ArrayDeque<>();

    synchronized void add(Entry entry) {
        entries.addFirst(entry);
        if (entries.size() > MAX_ENTRIES) {
            entries.removeLast();
        }
    }

    synchronized List<Entry> entries() {
        return new ArrayList<>(entries);
    }
}
