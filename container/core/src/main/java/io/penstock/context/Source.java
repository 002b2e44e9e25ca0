package io.penstock.context;

import org.jspecify.annotations.Nullable;

/** Where the instance of a registration comes from: a class's name, a class, or an instance made outside. */
sealed interface Source<T> {

    String className();

    /** The class, if it can be had without loading it. */
    @Nullable
    Class<? extends T> type();

    T instance(ClassLoader loader, ObjectFactory objects) throws ReflectiveOperationException;

    /** For another instance of the same class. */
    default Source<T> again() {
        return this;
    }

    /** A class to be loaded when it is needed. */
    record Named<T>(String className, Class<T> wanted) implements Source<T> {
        @Override
        public @Nullable Class<? extends T> type() {
            return null;
        }

        @Override
        public T instance(ClassLoader loader, ObjectFactory objects) throws ReflectiveOperationException {
            return objects.create(load(loader));
        }

        Class<? extends T> load(ClassLoader loader) throws ClassNotFoundException {
            Class<?> type = Class.forName(className, true, loader);
            if (!wanted.isAssignableFrom(type)) {
                throw new ClassNotFoundException(className + " does not implement " + wanted.getName());
            }
            return type.asSubclass(wanted);
        }
    }

    /** A class. */
    record Typed<T>(Class<? extends T> type) implements Source<T> {
        @Override
        public String className() {
            return type.getName();
        }

        @Override
        public T instance(ClassLoader loader, ObjectFactory objects) throws ReflectiveOperationException {
            return objects.create(type);
        }
    }

    /** An instance made by the application or the embedder. */
    record Given<T>(T made, Class<? extends T> type) implements Source<T> {
        @Override
        public String className() {
            return type.getName();
        }

        @Override
        public T instance(ClassLoader loader, ObjectFactory objects) throws ReflectiveOperationException {
            objects.adopt(made);
            return made;
        }

        @Override
        public Source<T> again() {
            return new Typed<>(type);
        }
    }
}
