package io.penstock.context;

/** Makes and unmakes servlets, filters and listeners: the seam for injection and life-cycle annotations. Thread: any. */
public interface ObjectFactory {

    /** Calls the constructor without parameters and nothing else. */
    ObjectFactory REFLECTIVE = new ObjectFactory() {
        @Override
        public <T> T create(Class<T> type) throws ReflectiveOperationException {
            return type.getDeclaredConstructor().newInstance();
        }
    };

    <T> T create(Class<T> type) throws ReflectiveOperationException;

    /** An instance made outside, given to a registration. */
    default void adopt(Object instance) throws ReflectiveOperationException {}

    /** The container has let go of the instance, after its {@code destroy} if it has one. */
    default void release(Object instance) {}
}
