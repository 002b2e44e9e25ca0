package io.penstock.deploy;

import io.penstock.injection.InjectionRules;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Converts the text of an {@code env-entry-value} to the entry's type. */
final class EntryValue {
    private static final Map<Class<?>, Class<?>> BOXED = Map.ofEntries(
            Map.entry(boolean.class, Boolean.class),
            Map.entry(byte.class, Byte.class),
            Map.entry(char.class, Character.class),
            Map.entry(short.class, Short.class),
            Map.entry(int.class, Integer.class),
            Map.entry(long.class, Long.class),
            Map.entry(float.class, Float.class),
            Map.entry(double.class, Double.class));

    private EntryValue() {}

    /** The class of the entry. This is the declared class or, without a declaration, the type of the first injection target. */
    static Class<?> type(
            XmlElement entry, @Nullable String declared, List<InjectionRules.Target> targets, ClassLoader loader)
            throws DeploymentException {
        try {
            if (declared != null) {
                return Class.forName(declared, true, loader);
            }
            if (!targets.isEmpty()) {
                InjectionRules.Target target = targets.get(0);
                Class<?> type = Class.forName(target.className(), false, loader)
                        .getDeclaredField(target.member())
                        .getType();
                return BOXED.getOrDefault(type, type);
            }
        } catch (ClassNotFoundException | LinkageError e) {
            throw new DeploymentException(
                    entry.at(), "<env-entry> is of a class that cannot be loaded: " + e.getMessage(), e);
        } catch (NoSuchFieldException e) {
            throw new DeploymentException(entry.at(), "<env-entry> lacks <env-entry-type>", e);
        }
        throw entry.error("lacks <env-entry-type>");
    }

    static Object convert(XmlElement value, Class<?> type, ClassLoader loader) throws DeploymentException {
        String text = value.text();
        try {
            if (type == String.class || type == Object.class) {
                return text;
            } else if (type == Boolean.class) {
                // The text "true" in any letter case means true. Every other text means false (Jakarta EE 5.4.1.3).
                return Boolean.valueOf(text);
            } else if (type == Byte.class) {
                return Byte.valueOf(text);
            } else if (type == Short.class) {
                return Short.valueOf(text);
            } else if (type == Integer.class) {
                return Integer.valueOf(text);
            } else if (type == Long.class) {
                return Long.valueOf(text);
            } else if (type == Float.class) {
                return Float.valueOf(text);
            } else if (type == Double.class) {
                return Double.valueOf(text);
            }
        } catch (NumberFormatException e) {
            throw new DeploymentException(
                    value.at(), "<env-entry-value> is not a " + type.getName() + ": '" + text + "'", e);
        }
        return ofOtherKind(value, text, type, loader);
    }

    private static Object ofOtherKind(XmlElement value, String text, Class<?> type, ClassLoader loader)
            throws DeploymentException {
        if (type == Character.class) {
            if (text.length() != 1) {
                throw value.error("is not one character: '" + text + "'");
            }
            return text.charAt(0);
        }
        if (type == Class.class) {
            try {
                return Class.forName(text, false, loader);
            } catch (ClassNotFoundException | LinkageError e) {
                throw new DeploymentException(
                        value.at(), "<env-entry-value> names a class that cannot be loaded: " + text, e);
            }
        }
        if (type.isEnum()) {
            for (Object constant : type.getEnumConstants()) {
                if (((Enum<?>) constant).name().equals(text)) {
                    return constant;
                }
            }
            throw value.error("is not a constant of " + type.getName() + ": '" + text + "'");
        }
        throw value.error("cannot be of the type " + type.getName());
    }
}
