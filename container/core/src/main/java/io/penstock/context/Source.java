package io.penstock.context;

import org.jspecify.annotations.Nullable;

/** The source of the instance of a servlet, filter or listener: the name of a class, a class, or an instance. */
sealed interface Source<T> {

    String className();

    /** The class; null if the class has not been loaded yet. */
    @Nullable
    Class<? extends T> type();

    T instance(ClassLoader loader, ObjectFactory objects) throws ReflectiveOperationException;

    /** The source of another instance of the same class. */
    default Source<T> forAnother() {
        return this;
    }

    /** The name of a class. The class is loaded when the first instance is created. */
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

    /** An instance that the application or the embedding program has created. */
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
        public Source<T> forAnother() {
            return new Typed<>(type);
        }
    }
}
