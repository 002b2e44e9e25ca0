package io.penstock.deploy.application;

import jakarta.annotation.Resource;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.annotation.WebListener;
import javax.sql.DataSource;

/** Needs what nobody gives. */
@WebListener
public class NeedyListener implements ServletContextListener {
    @Resource
    DataSource orders;
}
