#!/usr/bin/python3
"""A WebKitGTK window for WebKitWebDriver.

MiniBrowser under automation keeps its data in memory, prints no console
messages and is never narrower than its toolbar. This window keeps its data in
$WEBKIT_HOME, prints to standard output, and has no toolbar.
"""
import os

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("WebKit2", "4.1")
from gi.repository import Gtk, WebKit2  # noqa: E402

home = os.environ["WEBKIT_HOME"]
manager = WebKit2.WebsiteDataManager(
    base_data_directory=home + "/data", base_cache_directory=home + "/cache"
)
context = WebKit2.WebContext(website_data_manager=manager)
context.set_automation_allowed(True)
settings = WebKit2.Settings(enable_write_console_messages_to_stdout=True)


def new_view(_session):
    view = WebKit2.WebView(
        web_context=context, settings=settings, is_controlled_by_automation=True
    )
    window = Gtk.Window(default_width=1280, default_height=900)
    window.add(view)
    window.show_all()
    view.connect("close", lambda _: window.destroy())
    return view


def started(_context, session):
    info = WebKit2.ApplicationInfo()
    info.set_name("WebKitGTK")
    version = WebKit2.get_major_version(), WebKit2.get_minor_version(), WebKit2.get_micro_version()
    info.set_version(*version)
    session.set_application_info(info)
    session.connect("create-web-view", new_view)


context.connect("automation-started", started)
Gtk.main()
