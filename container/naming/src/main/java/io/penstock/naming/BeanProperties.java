package io.penstock.naming;

import io.penstock.environment.EnvironmentException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Sets properties of an object by its setters. The values are converted from text.
 *
 * @param at the location of the declaration, for messages
 */
record BeanProperties(Object bean, String at) {
    private static final Set<Class<?>> NUMBERS =
            Set.of(int.class, Integer.class, long.class, Long.class, short.class, Short.class);

    void set(Map<String, String> properties) throws EnvironmentException {
        for (Map.Entry<String, String> property : properties.entrySet()) {
            set(property.getKey(), property.getValue());
        }
    }

    private void set(String name, String text) throws EnvironmentException {
        Method setter = setter(name);
        if (setter == null) {
            throw new EnvironmentException(
                    at + ": class " + bean.getClass().getName() + " has no property '" + name + "'");
        }
        try {
            setter.invoke(bean, value(text, setter.getParameterTypes()[0]));
        } catch (NumberFormatException e) {
            throw new EnvironmentException(at + ": property '" + name + "' must be a number, not '" + text + "'", e);
        } catch (InvocationTargetException e) {
            throw new EnvironmentException(
                    at + ": property '" + name + "' has a value that the class refuses: " + e.getCause(), e.getCause());
        } catch (ReflectiveOperationException e) {
            throw new EnvironmentException(at + ": property '" + name + "' cannot be set: " + e, e);
        }
    }

    /**
     * Finds the setter of a property, regardless of letter case. For example, the setter of {@code url} is {@code setURL} in some drivers,
     * and {@code setUrl} in other drivers.
     */
    private @Nullable Method setter(String name) {
        String wanted = ("set" + name).toLowerCase(Locale.ROOT);
        for (Method method : bean.getClass().getMethods()) {
            if (method.getName().toLowerCase(Locale.ROOT).equals(wanted)
                    && method.getParameterCount() == 1
                    && isSettable(method.getParameterTypes()[0])) {
                return method;
            }
        }
        return null;
    }

    private static boolean isSettable(Class<?> type) {
        return type == String.class || type == boolean.class || type == Boolean.class || NUMBERS.contains(type);
    }

    private static Object value(String text, Class<?> type) {
        if (type == String.class) {
            return text;
        } else if (type == boolean.class || type == Boolean.class) {
            return Boolean.valueOf(text.strip());
        } else if (type == long.class || type == Long.class) {
            return Long.valueOf(text.strip());
        } else if (type == short.class || type == Short.class) {
            return Short.valueOf(text.strip());
        }
        return Integer.valueOf(text.strip());
    }
}
