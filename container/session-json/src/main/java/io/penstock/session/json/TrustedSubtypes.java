package io.penstock.session.json;

import io.penstock.part.AttributeFormat;
import tools.jackson.databind.DatabindContext;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.jsontype.PolymorphicTypeValidator;

/**
 * Allows only trusted classes as the classes of objects in JSON texts. {@link TrustedTypeFactory} has already checked their names. Thread: any;
 * immutable.
 */
final class TrustedSubtypes extends PolymorphicTypeValidator.Base {
    private static final long serialVersionUID = 1L;

    private final transient AttributeFormat.Types types;

    TrustedSubtypes(AttributeFormat.Types types) {
        this.types = types;
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
