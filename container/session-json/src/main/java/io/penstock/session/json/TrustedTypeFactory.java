package io.penstock.session.json;

import io.penstock.part.AttributeFormat;
import tools.jackson.databind.type.TypeFactory;

/**
 * Finds the classes whose names are in JSON texts, and only trusted ones. Jackson asks this object for each name: the classes of objects, their type
 * parameters, and values and map keys of the type {@code Class}. No static initialiser runs for a name: a class is initialised when its
 * first object is made. At that time all names of the object's type have been checked. Jackson's own method would initialise each class.
 *
 * <p>Thread: any.
 */
final class TrustedTypeFactory extends TypeFactory {
    private static final long serialVersionUID = 1L;

    private final transient AttributeFormat.Types types;

    TrustedTypeFactory(AttributeFormat.Types types) {
        this.types = types;
    }

    /** Returns this object, which only one mapper uses. A copy by the method of the superclass would trust every class. */
    @Override
    public TypeFactory snapshot() {
        return this;
    }

    @Override
    public Class<?> findClass(String name) throws ClassNotFoundException {
        Class<?> primitive = _findPrimitive(name);
        if (primitive != null) {
            return primitive;
        }
        Class<?> found = types.load(name);
        if (!types.isTrusted(found)) {
            throw new ClassNotFoundException(name + " is not trusted");
        }
        return found;
    }
}
