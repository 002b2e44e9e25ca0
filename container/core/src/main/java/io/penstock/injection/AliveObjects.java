package io.penstock.injection;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The objects that were made here and wait for the call at their end. An object that nobody holds any more is forgotten: not all
 * that an application creates is ever given back.
 *
 * <p>Thread: any.
 */
final class AliveObjects {
    private final Set<Identity> alive = ConcurrentHashMap.newKeySet();
    private final ReferenceQueue<Object> gone = new ReferenceQueue<>();

    void add(Object instance) {
        forgetGone();
        alive.add(new Identity(instance, gone));
    }

    /** Whether the object was there: true once for each. */
    boolean remove(Object instance) {
        forgetGone();
        return alive.remove(new Identity(instance, null));
    }

    private void forgetGone() {
        for (Reference<?> next = gone.poll(); next != null; next = gone.poll()) {
            alive.remove(next);
        }
    }

    /** Equal for the same object, whatever the object's own idea of equality. */
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
