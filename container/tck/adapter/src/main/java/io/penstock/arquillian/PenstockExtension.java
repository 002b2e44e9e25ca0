package io.penstock.arquillian;

import org.jboss.arquillian.container.spi.client.container.DeployableContainer;
import org.jboss.arquillian.core.spi.LoadableExtension;

/** Makes the container known to Arquillian, which finds it by being on the class path. */
public final class PenstockExtension implements LoadableExtension {

    @Override
    public void register(ExtensionBuilder builder) {
        builder.service(DeployableContainer.class, PenstockContainer.class);
    }
}
