package io.penstock.injection;

import io.penstock.environment.Environment;
import io.penstock.environment.EnvironmentException;
import io.penstock.environment.Reference;
import io.penstock.environment.ResourceName;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A field or a setter, and the reference to the resource that is injected. Thread: any. */
sealed interface InjectionPoint {

    Reference reference();

    Class<?> type();

    /** The names of the class and the member, for messages. */
    String shown();

    void set(Object instance, Object value) throws ReflectiveOperationException;

    /** A field. */
    record OfField(Field field, Reference reference) implements InjectionPoint {
        @Override
        public Class<?> type() {
            return field.getType();
        }

        @Override
        public String shown() {
            return field.getDeclaringClass().getName() + "." + field.getName();
        }

        @Override
        public void set(Object instance, Object value) throws ReflectiveOperationException {
            field.set(instance, value);
        }
    }

    /** A setter. */
    record OfSetter(Method setter, Reference reference) implements InjectionPoint {
        @Override
        public Class<?> type() {
            return setter.getParameterTypes()[0];
        }

        @Override
        public String shown() {
            return setter.getDeclaringClass().getName() + "." + setter.getName();
        }

        @Override
        public void set(Object instance, Object value) throws ReflectiveOperationException {
            setter.invoke(instance, value);
        }
    }

    /**
     * The types of an {@code env-entry}. If the entry has no value, a field of one of these types keeps its initial value (Jakarta EE 5.4).
     */
    Set<Class<?>> SIMPLE = Set.of(
            String.class,
            Character.class,
            Byte.class,
            Short.class,
            Integer.class,
            Long.class,
            Boolean.class,
            Double.class,
            Float.class,
            Class.class);

    private boolean isSimple() {
        return type().isPrimitive() || type().isEnum() || SIMPLE.contains(type());
    }

    /** Looks up the resource and injects it. */
    default void inject(Object instance, Environment environment, InjectionRules rules) throws InjectionException {
        Object converted = converted(instance.getClass(), rules);
        Object value = converted == null ? find(environment) : converted;
        if (value == null) {
            if (isSimple() && reference().lookup() == null) {
                Log.LOG.debug(
                        "{} keeps its value: no entry '{}'",
                        shown(),
                        reference().name());
                return;
            }
            throw new InjectionException(shown() + ": nothing is bound to the resource '"
                    + reference().name() + "' (" + type().getName() + ")" + linked());
        }
        try {
            set(instance, value);
        } catch (IllegalArgumentException e) {
            throw new InjectionException(
                    shown() + ": the resource '" + reference().name() + "' is a "
                            + value.getClass().getName() + ", not a "
                            + type().getName(),
                    e);
        } catch (InvocationTargetException e) {
            throw new InjectionException(shown() + " failed: " + e.getCause(), e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new InjectionException(shown() + " cannot be set: " + e, e);
        }
    }

    /**
     * The operator's text for this entry, converted to the type of the member; null if there is no such text, or if the type is not that of
     * an entry.
     *
     * @param owner the class of the object whose member this is
     */
    default @Nullable Object converted(Class<?> owner, InjectionRules rules) throws InjectionException {
        String lookup = reference().lookup();
        String name = lookup == null ? reference().name() : lookup;
        String text = rules.texts().get(ResourceName.full(name));
        if (text == null || !isSimple()) {
            return null;
        }
        try {
            return EntryValue.of(text, EntryValue.boxed(type()), owner.getClassLoader());
        } catch (IllegalArgumentException e) {
            throw new InjectionException(shown() + ": the entry '" + name + "' " + e.getMessage(), e);
        }
    }

    private @Nullable Object find(Environment environment) throws InjectionException {
        try {
            return environment.find(reference().name());
        } catch (EnvironmentException e) {
            throw new InjectionException(
                    shown() + ": the resource '" + reference().name() + "' cannot be made: " + e.getMessage(), e);
        }
    }

    private String linked() {
        String origin = reference().at().equals(shown())
                ? ""
                : ", declared in " + reference().at();
        return (reference().lookup() == null
                        ? ""
                        : ", which looks up '" + reference().lookup() + "'")
                + origin;
    }

    /** Contains the logger, because an interface cannot have private constants. */
    final class Log {
        private static final Logger LOG = LoggerFactory.getLogger(InjectionPoint.class);

        private Log() {}
    }
}
