package io.penstock.session.json;

import io.penstock.part.AttributeFormat;
import tools.jackson.databind.DatabindContext;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.jsontype.PolymorphicTypeValidator;

/** Allows only trusted classes in JSON texts. A class is checked before its static initialiser runs. Thread: any; immutable. */
final class TrustedSubtypes extends PolymorphicTypeValidator.Base {
    private static final long serialVersionUID = 1L;

    private final transient AttributeFormat.Types types;

    TrustedSubtypes(AttributeFormat.Types types) {
        this.types = types;
    }

    @Override
    public Validity validateSubClassName(DatabindContext context, JavaType baseType, String name) {
        try {
            // The name of a generic type is followed by its type parameters.
            int parameters = name.indexOf('<');
            return types.isTrusted(types.load(parameters < 0 ? name : name.substring(0, parameters)))
                    ? Validity.INDETERMINATE
                    : Validity.DENIED;
        } catch (ClassNotFoundException e) {
            return Validity.DENIED;
        }
    }

    @Override
    public Validity validateSubType(DatabindContext context, JavaType baseType, JavaType subType) {
        return isTrusted(subType) ? Validity.ALLOWED : Validity.DENIED;
    }

    private boolean isTrusted(JavaType type) {
        for (int i = 0; i < type.containedTypeCount(); i++) {
            if (!isTrusted(type.containedType(i))) {
                return false;
            }
        }
        return types.isTrusted(type.getRawClass());
    }
}
