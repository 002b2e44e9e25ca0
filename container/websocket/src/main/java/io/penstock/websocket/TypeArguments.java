package io.penstock.websocket;

import java.lang.reflect.Array;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds the type that a class gives to the parameter of a generic interface, for example the type of a decoder. */
final class TypeArguments {
    private TypeArguments() {}

    /**
     * The erasure of the first type argument that {@code type} gives to {@code generic}, through all its superclasses and interfaces.
     *
     * @return null if {@code type} does not implement {@code generic}, or if the compiled class has lost the type, as a lambda does
     */
    static @Nullable Class<?> of(Class<?> type, Class<?> generic) {
        return generic.isAssignableFrom(type) ? find(type, generic, Map.of()) : null;
    }

    private static @Nullable Class<?> find(Type type, Class<?> generic, Map<TypeVariable<?>, Type> known) {
        Class<?> raw = erasure(type, known);
        if (raw == null) {
            return null;
        }
        Map<TypeVariable<?>, Type> arguments = new HashMap<>(known);
        if (type instanceof ParameterizedType parameterized) {
            Type[] given = parameterized.getActualTypeArguments();
            if (raw == generic) {
                return erasure(given[0], known);
            }
            TypeVariable<?>[] names = raw.getTypeParameters();
            for (int i = 0; i < names.length; i++) {
                arguments.put(names[i], given[i]);
            }
        }
        List<Type> supertypes = new ArrayList<>(List.of(raw.getGenericInterfaces()));
        if (raw.getGenericSuperclass() != null) {
            supertypes.add(raw.getGenericSuperclass());
        }
        for (Type supertype : supertypes) {
            Class<?> found = find(supertype, generic, arguments);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    private static @Nullable Class<?> erasure(@Nullable Type type, Map<TypeVariable<?>, Type> known) {
        if (type instanceof Class<?> plain) {
            return plain;
        }
        if (type instanceof ParameterizedType parameterized) {
            return erasure(parameterized.getRawType(), known);
        }
        if (type instanceof GenericArrayType array) {
            Class<?> element = erasure(array.getGenericComponentType(), known);
            return element == null ? null : Array.newInstance(element, 0).getClass();
        }
        if (type instanceof TypeVariable<?> variable) {
            Type argument = known.get(variable);
            // A variable may stand for another one of a subclass, but not for itself.
            return argument == null || argument.equals(variable) ? null : erasure(argument, known);
        }
        return null;
    }
}
