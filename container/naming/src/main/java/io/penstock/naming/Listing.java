package io.penstock.naming;

import java.util.Iterator;
import javax.naming.NamingEnumeration;

/** The result of a JNDI list operation. It returns the items of an iterator. Thread: one. */
final class Listing<T> implements NamingEnumeration<T> {
    private final Iterator<T> items;

    Listing(Iterator<T> items) {
        this.items = items;
    }

    @Override
    public T next() {
        return items.next();
    }

    @Override
    public boolean hasMore() {
        return items.hasNext();
    }

    @Override
    public void close() {}

    @Override
    public boolean hasMoreElements() {
        return items.hasNext();
    }

    @Override
    public T nextElement() {
        return items.next();
    }
}
