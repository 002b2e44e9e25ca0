package io.penstock.injection;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The objects whose {@code @PreDestroy} methods have not been called yet. Entries of unreachable objects are removed, because an
 * application does not release every object that it creates.
 *
 * <p>Thread: any.
 */
final class ManagedObjects {
    private final Set<Identity> managed = ConcurrentHashMap.newKeySet();
    private final ReferenceQueue<Object> unreachable = new ReferenceQueue<>();

    void add(Object instance) {
        dropUnreachable();
        managed.add(new Identity(instance, unreachable));
    }

    /** Removes the object. Returns true if the object was present. So only the first call for an object returns true. */
    boolean remove(Object instance) {
        dropUnreachable();
        return managed.remove(new Identity(instance, null));
    }

    private void dropUnreachable() {
        for (Reference<?> next = unreachable.poll(); next != null; next = unreachable.poll()) {
            managed.remove(next);
        }
    }

    /**
     * A weak reference to an object. Two references are equal if they refer to the same object. The {@code equals} method of the object is
     * never called.
     */
    private static final class Identity extends WeakReference<Object> {
        private final int hash;

        Identity(Object instance, @Nullable ReferenceQueue<Object> queue) {
            super(instance, queue);
            hash = System.identityHashCode(instance);
        }

        @Override
        public int hashCode() {
            return hash;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            if (this == other) {
                return true;
            }
            Object mine = get();
            return mine != null && other instanceof Identity identity && identity.get() == mine;
        }
    }
}
