package io.penstock.boot.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.origin.Origin;

/** Stores the origin of a property's value when Boot binds the property. */
final class Origins implements BindHandler {
    private final ConfigurationPropertyName name;
    private @Nullable Origin found;

    Origins(ConfigurationPropertyName name) {
        this.name = name;
    }

    @Override
    public Object onSuccess(ConfigurationPropertyName bound, Bindable<?> target, BindContext context, Object result) {
        ConfigurationProperty property = context.getConfigurationProperty();
        if (property != null) {
            found = property.getOrigin();
        }
        return result;
    }

    /** The name and the origin of the property, as text for operators. */
    String text() {
        return found == null ? name.toString() : name + " in " + found;
    }
}
