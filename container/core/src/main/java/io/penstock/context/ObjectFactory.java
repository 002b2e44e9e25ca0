package io.penstock.context;

/**
 * Creates and releases servlets, filters and listeners. An implementation can also inject resources, and call {@code @PostConstruct} and
 * {@code @PreDestroy} methods. Thread: any.
 */
public interface ObjectFactory {

    /** A factory that only calls the constructor without parameters. */
    ObjectFactory REFLECTIVE = new ObjectFactory() {
        @Override
        public <T> T create(Class<T> type) throws ReflectiveOperationException {
            return type.getDeclaredConstructor().newInstance();
        }
    };

    <T> T create(Class<T> type) throws ReflectiveOperationException;

    /** Called for a registered instance that this factory has not created. */
    default void adopt(Object instance) throws ReflectiveOperationException {}

    /**
     * Releases an instance that the container does not use any more. If the instance has a {@code destroy} method, the container has called
     * that method before.
     */
    default void release(Object instance) {}
}
