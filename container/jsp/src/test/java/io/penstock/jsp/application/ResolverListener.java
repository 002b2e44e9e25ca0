package io.penstock.jsp.application;

import jakarta.el.ELContext;
import jakarta.el.ELResolver;
import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.jsp.JspFactory;

/** Adds the name {@code answer} to the expression language when the application starts. Some frameworks add names in this way. */
public class ResolverListener implements ServletContextListener {
    @Override
    public void contextInitialized(ServletContextEvent event) {
        JspFactory.getDefaultFactory()
                .getJspApplicationContext(event.getServletContext())
                .addELResolver(new Answer());
    }

    private static final class Answer extends ELResolver {
        @Override
        public Object getValue(ELContext context, Object base, Object property) {
            if (base == null && "answer".equals(property)) {
                context.setPropertyResolved(true);
                return 42;
            }
            return null;
        }

        @Override
        public Class<?> getType(ELContext context, Object base, Object property) {
            return Object.class;
        }

        @Override
        public void setValue(ELContext context, Object base, Object property, Object value) {}

        @Override
        public boolean isReadOnly(ELContext context, Object base, Object property) {
            return true;
        }

        @Override
        public Class<?> getCommonPropertyType(ELContext context, Object base) {
            return Object.class;
        }
    }
}
